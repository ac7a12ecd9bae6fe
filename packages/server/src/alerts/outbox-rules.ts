import type { QueueRulesInput } from "@andon/contract";

export const ALERT_KIND_PREFIX = "alert.";

/**
 * Rules that override the outbox's own for alerts. An alert that cannot be delivered is skipped and shown as failed: the next
 * alert of its channel matters more than the order, and nobody would notice a held lane of alerts.
 */
export const OUTBOX_RULES_FOR_ALERTS: QueueRulesInput = {
  onFinalFailure: (_failure, job) => (job.name.startsWith(ALERT_KIND_PREFIX) ? "skip" : "hold-lane"),
};
