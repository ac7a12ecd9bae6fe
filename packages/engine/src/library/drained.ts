import type { QueueStatus } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import { pause } from "../worker/pause.ts";
import { statusOf } from "./status.ts";

const LOOK_EVERY_MS = 25;

/**
 * Waits until nothing more of a queue will run by itself: no job is ready, scheduled or running, or the queue is
 * stopped and nothing runs. Jobs that are blocked behind a held lane may be left.
 */
export async function drained(store: Store, queue: string, signal?: AbortSignal): Promise<QueueStatus> {
  for (;;) {
    signal?.throwIfAborted();
    const status = await statusOf(store, queue);
    const { running, ready, scheduled } = status.counts;
    const waits = status.state === "stopped" ? 0 : ready + scheduled;
    if (running + waits === 0) return status;
    await pause(store.clock, LOOK_EVERY_MS);
  }
}
