import type { QueueStatus } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import { sleep } from "../worker/sleep.ts";
import { statusOf } from "./status.ts";

const LOOK_EVERY_MS = 25;
const LOOK_WHILE_AWAY_MS = 250;

/**
 * Waits until nothing more of a queue will run by itself: no job is ready, scheduled or running, or the queue is
 * stopped and nothing runs. Jobs that are blocked behind a held lane may be left. The wait goes on while the store is
 * unavailable, as in the workers; a closed store ends it.
 */
export async function drained(store: Store, queue: string, signal?: AbortSignal): Promise<QueueStatus> {
  for (;;) {
    signal?.throwIfAborted();
    const status = await statusOf(store, queue).catch((error: unknown) => {
      if (!store.isUnavailable(error)) throw error;
    });
    if (!status) {
      await sleep(store.clock, LOOK_WHILE_AWAY_MS);
      continue;
    }
    const { running, ready, scheduled } = status.counts;
    const waits = status.state === "stopped" ? 0 : ready + scheduled;
    if (running + waits === 0) return status;
    await sleep(store.clock, LOOK_EVERY_MS);
  }
}
