/** The actor of a stop by failure. */
const SYSTEM = "system";

/**
 * Whether a failure stopped the queue, and not a person. One sign is not enough: a key with a tenant is not shown the failed job of
 * another tenant, and the guard of a BullMQ queue may name another actor.
 */
export function isStoppedByFailure(queue: {
  readonly state: string;
  readonly pausedBy: string | null;
  readonly failedJobId: string | null;
}): boolean {
  return queue.state === "stopped" && (queue.pausedBy === SYSTEM || queue.failedJobId !== null);
}
