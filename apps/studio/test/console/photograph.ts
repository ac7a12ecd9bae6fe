import type { Page } from "playwright-core";

const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

/**
 * Saves screenshots of the page in two sizes, light and dark, into the folder that ANDON_PICTURES names; does nothing without
 * it.
 */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.ANDON_PICTURES;
  if (!folder) return;
  const before = page.viewportSize();
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png`, fullPage: true });
    }
  if (before) await page.setViewportSize(before);
}
