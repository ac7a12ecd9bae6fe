import type { Stop } from "@andon/bullmq";
import type { EventData } from "@andon/contract";

/** The feed event for a stop in Redis, where queues have no epochs. */
export function stoppedEvent(
  queue: string,
  kind: "failure" | "hand",
  stop: Stop,
): EventData["queue.stopped"] {
  const at = Date.parse(stop.pausedAt);
  return { id: stop.stopId, queue, epoch: 0, at, kind, actor: stop.pausedBy, reason: stop.pauseReason };
}
