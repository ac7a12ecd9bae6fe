import type { AuditRow, JobCounts, JobState, PLAN_ACTIONS } from "@andon/contract";

/** Which jobs are meant. Every member narrows; times are milliseconds since 1970. */
export interface JobFilter {
  queue?: string | undefined;
  state?: JobState | undefined;
  /** Jobs with this lane key. */
  key?: string | undefined;
  name?: string | undefined;
  tenant?: string | undefined;
  /** Made at this time or later. */
  from?: number | undefined;
  /** Made before this time. */
  to?: number | undefined;
  /** Jobs whose last error has this fingerprint. */
  fingerprint?: string | undefined;
  /** Found in the id, ticket, name, a key or the error's message; letters' case does not count. */
  text?: string | undefined;
}

/** Which decisions are meant. Every member narrows. */
export interface AuditFilter {
  target?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  /** Decisions about jobs of this tenant, or that it made itself. */
  tenant?: string | undefined;
}

export interface NewAuditRow extends Omit<AuditRow, "id" | "at"> {
  /** Whose decision or thing it is, where the target is not a job. Default: nobody's in particular. */
  tenant?: string | null | undefined;
}

/** A row of the audit log with its place in the chain. */
export interface ChainedAuditRow extends AuditRow {
  seq: number;
  hash: string;
}

export interface AuditHead {
  seq: number;
  hash: string;
  /** Rows from before there was a chain, as they were counted then and as they are found now. */
  unchained: number;
  foundUnchained: number;
}

/** Counts that may have stopped early, and then say so. */
export interface BoundedCounts {
  counts: JobCounts;
  more: boolean;
}

export interface QueueOverview {
  heldLanes: number;
  /** When the job that is next in line was made; null where none is ready. */
  oldestWaitingAt: number | null;
  donePerMinute: number;
}

/** Failed jobs of one queue that failed the same way. */
export interface FingerprintGroup {
  fingerprint: string;
  code: string;
  /** Of the newest of them. */
  message: string;
  count: number;
  firstAt: number;
  lastAt: number;
  newestJobId: string;
  /** How a job with the same fingerprint was settled last. */
  lastResolution: { actor: string; reason: string | null; at: number } | null;
}

export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** As much of a job as tells whether it has changed, and its lanes. */
export interface PlannedJob {
  pos: number;
  id: string;
  ticket: string;
  state: JobState;
  attempts: number;
  fence: number;
  keys: readonly string[];
}

/** What a plan would do. */
export interface PlanReach {
  byState: Partial<JobCounts>;
  /** Lanes that a failed job holds and that go on by it. */
  lanesOpened: number;
  /** Jobs that wait in those lanes. */
  waitingBehind: number;
  /** What is queued again runs only after the queue is resumed. */
  queueStopped: boolean;
  /** Jobs that were meant but whose state does not allow the action; for a filter as far as a search looks. */
  leftOut: number;
}

export interface PlanRow {
  id: string;
  queue: string;
  action: PlanAction;
  actor: string;
  reason: string | null;
  /** Only jobs of this tenant are in it, and only this tenant or somebody without a scope sees it; null: no scope. */
  tenant: string | null;
  createdAt: number;
  expiresAt: number;
  appliedAt: number | null;
  reach: PlanReach;
  /** Jobs in its set, which is the list of its name. */
  count: number;
}
