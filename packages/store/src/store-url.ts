import { resolve } from "node:path";
import { AndonError, shownAddress } from "@andon/contract";

export const IN_MEMORY = "sqlite::memory:";

export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** The file of `sqlite:<path>`. */
export function sqlitePath(url: string): string {
  if (!url.startsWith("sqlite:") || url.length === "sqlite:".length)
    throw new AndonError("STORE_URL", { given: shownAddress(url) });
  return resolve(url.slice("sqlite:".length));
}
