import type { StoreTx } from "@andon/engine";
import type { VaultContext } from "./vault-context.ts";

/**
 * Longer than the limit for a caller's own transaction: moving a folder with 10,000 files takes one to two seconds, on
 * a busy machine six, and a change below that folder waits for it.
 */
const LONGEST_MS = 60_000;

/**
 * Runs one change of files or folders as a transaction: all its rows and the operations that copy it to the NAS, or
 * none of them. `verb` is the name in its fail points.
 */
export function change<T>(
  { andon }: VaultContext,
  work: (tx: StoreTx) => Promise<T>,
  verb = "caller",
): Promise<T> {
  return andon.store.transaction(verb, work, LONGEST_MS);
}
