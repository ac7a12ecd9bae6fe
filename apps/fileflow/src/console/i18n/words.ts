import { useLanguage } from "@andon/console/room";
import { type FileflowWords, fileflowEn } from "./en.ts";
import { fileflowKo } from "./ko.ts";

const DICTIONARIES: Record<"ko" | "en", FileflowWords> = { ko: fileflowKo, en: fileflowEn };

/** The words of these rooms, in the reader's language. */
export function useFileflowWords(): FileflowWords {
  return DICTIONARIES[useLanguage()];
}
