/** The states of a job. One row holds it from birth to end; the transitions are in engine/src/lifecycle. */
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

/** Jobs that wait for their turn. Those that wait for a time or an event are counted apart, as delayed. */
export const waitingOf = ({ ready, blocked }: JobCounts): number => ready + blocked;
export const delayedOf = ({ scheduled, parked }: JobCounts): number => scheduled + parked;

/** The status of a stage of a job. A stage that is not reached yet has none. */
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
