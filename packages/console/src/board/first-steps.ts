import { DEMO_QUEUE } from "@andon/contract";
import type { QueueOverview } from "../api/client.ts";

/** Whether no job was ever added, so that the reader probably sees the system for the first time. */
export function isUnused(queues: readonly QueueOverview[]): boolean {
  return queues.every(
    ({ queue, isSystem, state, waiting, active, failed, delayed, completed }) =>
      isSystem ||
      queue === DEMO_QUEUE ||
      (state === "open" && waiting + active + failed + delayed + completed === 0),
  );
}
