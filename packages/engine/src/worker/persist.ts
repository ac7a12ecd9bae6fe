import { isAndonError } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import { sleep } from "./sleep.ts";

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;
/** How often a write that the store refuses, rather than misses, is tried again. */
export const MOST_REFUSALS = 3;

export interface PersistPorts {
  readonly store: Store;
  readonly onError: (error: unknown) => void;
  /** The worker is closed and nobody waits any more. */
  readonly isClosed: () => boolean;
}

/**
 * Writes an outcome until it is written: the store may be away for a while, and what a handler did must not be lost
 * for that. It ends early when the claim is lost, since then the outcome is no longer ours to write. A write that is
 * refused again and again, such as by a hook that throws, is thrown to the caller, who has to write something else.
 */
export async function persist(ports: PersistPorts, write: () => Promise<unknown>): Promise<void> {
  let refusals = 0;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      await write();
      return;
    } catch (error) {
      if (isAndonError(error, "CLAIM_LOST") || ports.isClosed()) return;
      ports.onError(error);
      if (!ports.store.isUnavailable(error) && ++refusals === MOST_REFUSALS) throw error;
    }
    await sleep(ports.store.clock, wait);
  }
}
