import { en } from "../src/i18n/en.ts";
import { ko } from "../src/i18n/ko.ts";

/** What the console says, by language: a test that runs in both reads its words here. */
export const WORDS = { ko, en } as const;
