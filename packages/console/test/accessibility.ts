import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

const STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];

/**
 * The theme in which a page is checked in each language. One theme per language is enough: a check is slow, and neither the
 * structure of a page nor its colours depend on the language.
 */
export const THEME = { ko: "light", en: "dark" } as const;

/** The violations that axe finds in a page: each rule with its elements. In the dark theme only the colours are checked. */
export async function violations(page: Page, colorScheme: "light" | "dark"): Promise<string[][]> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // Legacy mode opens no extra page for frames, which the console does not have: the check takes half the time. Leaving out the
  // elements that pass halves it again.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const found = await (colorScheme === "dark"
    ? axe.withRules("color-contrast")
    : axe.withTags(STANDARD)
  ).analyze();
  return found.violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
}

/** Targets that are too small by WCAG 2.2: less than 24 px, or too close to their neighbours. */
export async function smallTargets(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).setLegacyMode().withRules("target-size").analyze();
  return found.violations.flatMap(({ nodes }) => nodes.map((node) => node.html));
}
