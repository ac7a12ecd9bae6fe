import { filledIn, type Language } from "@andon/contract";

/** One text in both languages, with placeholders for `filledIn`. */
export type Localized = Readonly<Record<Language, string>>;
export type Facts = Readonly<Record<string, string | number>>;

export function say(said: Localized, language: Language, facts: Facts = {}): string {
  return filledIn(said[language], facts);
}
