import { en, type Words } from "./en.ts";
import { ko } from "./ko.ts";
import { useLanguage } from "./language.ts";

const DICTIONARIES: Record<"ko" | "en", Words> = { ko, en };

/** Every word that the console says, in the reader's language. */
export function useWords(): Words {
  return DICTIONARIES[useLanguage()];
}
