import type { QueueRulesInput } from "@andon/contract";

export const ALERT_KIND_PREFIX = "alert.";

/**
 * Rules of an outbox that carries alerts, over its own. An alert that could not be delivered is given up and shown as
 * failed: the next one of its channel is worth more than the order, and nobody would look for a held lane of alerts.
 */
export const OUTBOX_RULES_FOR_ALERTS: QueueRulesInput = {
  onFinalFailure: (_failure, job) => (job.name.startsWith(ALERT_KIND_PREFIX) ? "skip" : "hold-lane"),
};
