import type { Language } from "@andon/contract";

/** One text in both languages. `{name}` is filled in. */
export type Said = Readonly<Record<Language, string>>;
export type Facts = Readonly<Record<string, string | number>>;

export function say(said: Said, language: Language, facts: Facts = {}): string {
  return said[language].replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole));
}
