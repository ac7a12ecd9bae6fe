import type { Page } from "playwright-core";

const PHONE = { width: 390, height: 844 };

/** Saves the page as it is, dark and on a phone, where `ANDON_PICTURES` names a folder. */
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
