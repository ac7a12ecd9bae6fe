import type { FilmLanguage } from "../contract/states.ts";

/** Korean where a text has Korean letters. */
export function languageOfText(text: string): FilmLanguage {
  return /\p{Script=Hangul}/u.test(text) ? "ko" : "en";
}
