import type { StoreTx } from "@andon/engine";
import type { VaultContext } from "./vault-context.ts";

/**
 * Longer than a caller's transaction may take: the move of a folder with 10,000 files takes a second or two, on a busy machine
 * six, and a change below that folder waits for it.
 */
const LONGEST_MS = 60_000;

/**
 * One change of files or folders: all its rows and the operations that bring it to the NAS, or none of them. `verb` is what
 * its fail points are called by.
 */
export function change<T>(
  { andon }: VaultContext,
  work: (tx: StoreTx) => Promise<T>,
  verb = "caller",
): Promise<T> {
  return andon.store.transaction(verb, work, LONGEST_MS);
}
