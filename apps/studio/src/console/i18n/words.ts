import { useLanguage } from "@andon/console/room";
import { type StudioWords, studioEn } from "./en.ts";
import { studioKo } from "./ko.ts";

const DICTIONARIES: Record<"ko" | "en", StudioWords> = { ko: studioKo, en: studioEn };

/** The words of these rooms, in the reader's language. */
export function useStudioWords(): StudioWords {
  return DICTIONARIES[useLanguage()];
}
