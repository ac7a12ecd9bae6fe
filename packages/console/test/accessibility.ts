import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

const STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];

/** What axe finds wrong with a page: each rule with the elements that break it. Only the colours are others in the dark. */
export async function violations(page: Page, colorScheme: "light" | "dark"): Promise<string[][]> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // For pages with frames axe opens another page each time; the console has none, and looking takes half as long.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const found = await (colorScheme === "dark"
    ? axe.withRules("color-contrast")
    : axe.withTags(STANDARD)
  ).analyze();
  return found.violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
}
