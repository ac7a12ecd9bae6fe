import { en } from "../src/i18n/en.ts";
import { ko } from "../src/i18n/ko.ts";

/** The console's texts by language, for tests that run in both. */
export const WORDS = { ko, en } as const;
