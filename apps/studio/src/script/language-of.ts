import type { FilmLanguage } from "../contract/states.ts";

/** Korean if the text has Korean letters, else English. */
export function languageOfText(text: string): FilmLanguage {
  return /\p{Script=Hangul}/u.test(text) ? "ko" : "en";
}
