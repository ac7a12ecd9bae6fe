import { isAndonError } from "@andon/contract";
import type { Clock } from "../ports/clock.ts";

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/**
 * Writes an outcome until it is written: the store may be away for a while, and what a handler did must not be lost
 * for that. It ends early when the claim is lost, since then the outcome is no longer ours to write.
 */
export async function persist(
  clock: Clock,
  isClosed: () => boolean,
  write: () => Promise<unknown>,
): Promise<void> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      await write();
      return;
    } catch (error) {
      if (isAndonError(error, "CLAIM_LOST") || isClosed()) return;
      if (isAndonError(error) && error.status < 500) throw error;
    }
    await pause(clock, wait);
  }
}

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
