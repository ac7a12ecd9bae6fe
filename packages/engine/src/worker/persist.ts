import { isAndonError } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import { sleep } from "./sleep.ts";

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;
/** After this many errors from a store that is available, a write is given up. */
export const MOST_REFUSALS = 3;

export interface PersistPorts {
  readonly store: Store;
  readonly onError: (error: unknown) => void;
  /** Whether the worker is closed: then the write is given up. */
  readonly isClosed: () => boolean;
}

/**
 * Repeats the write of an outcome until it succeeds: the outcome must not be lost because the store is unavailable for
 * a while. It ends early when the claim is lost, since the outcome must not be written then. The error of a write that
 * fails repeatedly, such as that of a hook, is thrown to the caller, who has to write something else.
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
