import { setTimeout as wait } from "node:timers/promises";

/** Waits for `ms`. On Ctrl-C it throws the interruption. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
