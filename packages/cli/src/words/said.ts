import { filledIn, type Language } from "@andon/contract";

/** One text in both languages, as `filledIn` reads it. */
export type Said = Readonly<Record<Language, string>>;
export type Facts = Readonly<Record<string, string | number>>;

export function say(said: Said, language: Language, facts: Facts = {}): string {
  return filledIn(said[language], facts);
}
