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

/** How many wait for their turn or for an event. What waits for a time is delayed, and counted apart. */
export const waitingOf = ({ ready, blocked, parked }: JobCounts): number => ready + blocked + parked;

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
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
