/** Where a job can be. One row carries it from birth to end; see engine/src/lifecycle for the arrows. */
export const JOB_STATES = [
  "scheduled",
  "blocked",
  "ready",
  "running",
  "parked",
  "done",
  "failed",
  "cancelled",
  "skipped",
  "resolved",
  "aborted",
] as const;

export type JobState = (typeof JOB_STATES)[number];

export type JobCounts = Record<JobState, number>;

/** How many wait for their turn. What waits for a time or for an event is delayed, and counted apart. */
export const waitingOf = ({ ready, blocked }: JobCounts): number => ready + blocked;
export const delayedOf = ({ scheduled, parked }: JobCounts): number => scheduled + parked;

/** How a stage of a job stands. Those not reached yet have no status. */
export const STAGE_STATUSES = [
  "waiting",
  "running",
  "parked",
  "completed",
  "failed",
  "cancelled",
  "skipped",
  "rolling-back",
  "rolled-back",
  "roll-back-failed",
] as const;
export type StageStatus = (typeof STAGE_STATUSES)[number];

/** A queue's own state. `degraded`: only the probe runs. `stopped`: nothing is claimed until a person resumes it. */
export const QUEUE_STATES = ["open", "degraded", "stopped"] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

/** How one attempt ended. */
export const ATTEMPT_OUTCOMES = [
  "failed",
  "snoozed",
  "lost",
  "handed-back",
  "cancelled",
  "uncharged",
  "aborted",
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
