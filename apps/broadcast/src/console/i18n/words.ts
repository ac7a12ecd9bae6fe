import { useLanguage } from "@andon/console/room";
import { type BroadcastWords, broadcastEn } from "./en.ts";
import { broadcastKo } from "./ko.ts";

const DICTIONARIES: Record<"ko" | "en", BroadcastWords> = { ko: broadcastKo, en: broadcastEn };

/** The words of these rooms, in the reader's language. */
export function useBroadcastWords(): BroadcastWords {
  return DICTIONARIES[useLanguage()];
}
