import type { AuditRow, JobCounts, JobState, Localized, PLAN_ACTIONS } from "@andon/contract";
import type { LaneId } from "../lanes/lane-id.ts";
import type { JobRow } from "./rows.ts";

/** Which jobs are meant. Every member narrows; times are milliseconds since 1970. */
export interface JobFilter {
  queue?: string | undefined;
  state?: JobState | undefined;
  /** Jobs with this lane key. */
  key?: string | undefined;
  name?: string | undefined;
  tenant?: string | undefined;
  /** Jobs of this organisation; of the tenant, where one is given. */
  organization?: string | undefined;
  /** Made at this time or later. */
  from?: number | undefined;
  /** Made before this time. */
  to?: number | undefined;
  /** Jobs whose last error has this fingerprint. */
  fingerprint?: string | undefined;
  /** Jobs whose last error has this code. */
  code?: string | undefined;
  /** Found in the id, ticket, name, a key or the error's message; letters' case does not count. */
  text?: string | undefined;
}

/** What a search found that went on from a position. */
export interface FurtherPage {
  items: JobRow[];
  /** Where to go on; null where all has been looked at. */
  cursor: number | null;
  /** When the last job that was looked at was made; null where there was none. */
  searchedTo: number | null;
}

/** Which decisions are meant. Every member narrows. */
export interface AuditFilter {
  target?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  /** From this moment on, in milliseconds. */
  from?: number | undefined;
  /** Before this moment, in milliseconds. */
  to?: number | undefined;
  /** Decisions about jobs of this tenant, or that it made itself. */
  tenant?: string | undefined;
  /** The same for an organisation of the tenant. */
  organization?: string | undefined;
}

export interface NewAuditRow extends Omit<AuditRow, "id" | "at"> {
  /** Whose decision or thing it is, where the target is not a job. Default: nobody's in particular. */
  tenant?: string | null | undefined;
  organization?: string | null | undefined;
}

/** A row of the audit log with its place in the chain. */
export interface ChainedAuditRow extends AuditRow {
  seq: number;
  hash: string;
}

export interface AuditHead {
  seq: number;
  hash: string;
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
  texts?: Localized | undefined;
  count: number;
  firstAt: number;
  lastAt: number;
  newestJobId: string;
  /** How a job with the same fingerprint was settled last. */
  lastResolution: { actor: string; reason: string | null; at: number } | null;
}

/** What people did about failures of one cause, and whether it helped. */
export interface Remedies {
  /** Retries, newest first as far as the last decisions tell; those whose job still waits or runs are neither. */
  readonly retried: number;
  readonly worked: number;
  readonly failedAgain: number;
  readonly skipped: number;
  /** The last decisions, newest first. */
  readonly last: readonly Remedy[];
}

export interface Remedy {
  readonly action: "retry" | "skip";
  readonly actor: string;
  readonly reason: string | null;
  readonly at: number;
  /** Of a retry: whether the job then came to its end; null while nobody knows, and of a skip. */
  readonly worked: boolean | null;
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
  lanes: readonly LaneId[];
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
  /** The same for an organisation of the tenant. */
  organization: string | null;
  createdAt: number;
  expiresAt: number;
  appliedAt: number | null;
  reach: PlanReach;
  /** Jobs in its set, which is the list of its name. */
  count: number;
}
