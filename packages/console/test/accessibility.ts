import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

const STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];

/**
 * The theme that a page is looked at in where it is shown in both languages: to look takes longer than what is looked at, and
 * neither the structure of a page nor its colours depend on the words.
 */
export const THEME = { ko: "light", en: "dark" } as const;

/** What axe finds wrong with a page: each rule with the elements that break it. Only the colours are others in the dark. */
export async function violations(page: Page, colorScheme: "light" | "dark"): Promise<string[][]> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // For pages with frames axe opens another page each time; the console has none, and looking takes half as long. So it does
  // where the elements that pass are not described.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const found = await (colorScheme === "dark"
    ? axe.withRules("color-contrast")
    : axe.withTags(STANDARD)
  ).analyze();
  return found.violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
}

/** What is smaller than a finger or an unsteady hand needs, by the rule of WCAG 2.2: 24 px, or as far from its neighbours. */
export async function smallTargets(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).setLegacyMode().withRules("target-size").analyze();
  return found.violations.flatMap(({ nodes }) => nodes.map((node) => node.html));
}
