export const EXECUTION_STATUSES = [
  "PENDING",
  "RUNNING",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TIMEOUT",
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** `STARTED`: the execution has reached the stage and waits for a place in it. */
export const STAGE_STATUSES = ["STARTED", "RUNNING", "COMPLETED", "FAILED", "SKIPPED", "TIMEOUT"] as const;
export type StageStatus = (typeof STAGE_STATUSES)[number];

export const TRIGGER_TYPES = ["UPLOAD", "SCHEDULE", "MANUAL", "RETRY"] as const;
export type TriggerType = (typeof TRIGGER_TYPES)[number];

export const DLQ_STATES = ["DEAD", "QUARANTINED", "DISCARDED", "REDRIVEN"] as const;
export type DlqState = (typeof DLQ_STATES)[number];

/** The source of a dead letter. `SQS_DLQ`: SQS itself moved the message to its dead-letter queue after too many receives. */
export const DLQ_SOURCES = ["HTTP", "SQS", "SQS_DLQ", "APP"] as const;
export type DlqSource = (typeof DLQ_SOURCES)[number];

export const REDRIVE_STATES = ["RUNNING", "DONE", "CANCELLED"] as const;
export type RedriveState = (typeof REDRIVE_STATES)[number];

/**
 * What happens at a due time while an execution of the schedule has not ended: `skip` creates none, `queue` starts one after
 * it, `allow` starts one at once.
 */
export const OVERLAP_POLICIES = ["skip", "queue", "allow"] as const;
export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number];
