import type { Language } from "../i18n/language.ts";

/** The text of each runbook of the documentation, loaded on demand. */
const PAGES = import.meta.glob<string>("../../../../docs/*/runbooks/*.md", {
  query: "?raw",
  import: "default",
});

const addressOf = (language: Language, name: string) => `../../../../docs/${language}/runbooks/${name}.md`;

/** The load function of a runbook; undefined if there is no runbook of this name. */
export function runbook(language: Language, name: string): (() => Promise<string>) | undefined {
  return PAGES[addressOf(language, name)];
}

/** The name of the runbook at an address of the documentation. */
export function runbookName(address: string): string | undefined {
  const [, language, name] = /^docs\/(en|ko)\/runbooks\/([\w-]+)\.md$/.exec(address) ?? [];
  return name && runbook(language as Language, name) ? name : undefined;
}

export const runbookPath = (name: string) => `/runbooks/${name}`;
