import { vaultEn } from "../src/vault/words/en.ts";
import { vaultKo } from "../src/vault/words/ko.ts";
import { en } from "../src/words/en.ts";
import { ko } from "../src/words/ko.ts";

/** What the console says, by language: a test that runs in both reads its words here. */
export const WORDS = { ko: { ...ko, vault: vaultKo }, en: { ...en, vault: vaultEn } } as const;
