import { useLanguage } from "@andon/console/room";
import { type VaultWords, vaultEn } from "./en.ts";
import { vaultKo } from "./ko.ts";

const DICTIONARIES: Record<"ko" | "en", VaultWords> = { ko: vaultKo, en: vaultEn };

/** The texts of the vault's pages, in the reader's language. */
export function useVaultWords(): VaultWords {
  return DICTIONARIES[useLanguage()];
}
