import { CORE_WORDS } from "@andon/console/testing";
import { vaultEn } from "../../src/console/i18n/en.ts";
import { vaultKo } from "../../src/console/i18n/ko.ts";

/** The texts of the console and of the vault's rooms, by language. */
export const WORDS = {
  ko: { ...CORE_WORDS.ko, vault: vaultKo },
  en: { ...CORE_WORDS.en, vault: vaultEn },
} as const;
