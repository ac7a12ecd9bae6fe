import type { Page } from "playwright-core";

const PHONE = { width: 360, height: 740 };

/** Elements wider than a narrow phone: the page itself, or a table that scrolls sideways. */
export async function tooWideForAPhone(page: Page): Promise<string[]> {
  const desk = page.viewportSize();
  await page.setViewportSize(PHONE);
  const found = await page.evaluate(`
    [document.documentElement, ...document.querySelectorAll("main .overflow-x-auto")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((each) => each.tagName + " " + each.textContent.slice(0, 80) + " " + (each.scrollWidth - each.clientWidth))
  `);
  if (desk) await page.setViewportSize(desk);
  return found as string[];
}
