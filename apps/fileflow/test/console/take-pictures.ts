import type { Page } from "playwright-core";

const PHONE = { width: 390, height: 844 };

/**
 * Saves screenshots of the page, light, dark and at phone size, into the folder that `ANDON_PICTURES` names; does nothing
 * without it.
 */
export async function take(page: Page, name: string): Promise<void> {
  const folder = process.env.ANDON_PICTURES;
  if (!folder) return;
  const save = (kind: string) => page.screenshot({ path: `${folder}/${name}-${kind}.png`, fullPage: true });
  const desk = page.viewportSize();
  await page.emulateMedia({ colorScheme: "light" });
  await save("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await save("dark");
  await page.setViewportSize(PHONE);
  await save("phone");
  if (desk) await page.setViewportSize(desk);
  await page.emulateMedia({ colorScheme: null });
}
