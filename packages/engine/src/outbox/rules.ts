import type { QueueRulesInput } from "@andon/contract";

/** The queue of the outbox: every message is a job in it. */
export const OUTBOX_QUEUE = "outbox";
/** How many destinations are served at once in one process, unless `work` says otherwise. */
export const OUTBOX_PLACES = 32;

/**
 * About an hour of attempts, then the destination is held until a person decides. A destination is a lane: its faults
 * never degrade or stop the queue, and while it hangs it keeps one place.
 */
export const OUTBOX_RULES: QueueRulesInput = {
  attempts: 12,
  backoff: { type: "exponential", delay: "5s", max: "15m", jitter: 0.2 },
  timeout: "15s",
  onFinalFailure: "hold-lane",
  probe: false,
};
