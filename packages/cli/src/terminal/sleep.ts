import { setTimeout as wait } from "node:timers/promises";

/** Waits so long, or until Ctrl-C, which it throws. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
