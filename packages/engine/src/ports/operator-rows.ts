import type { AuditRow, JobCounts, JobState, Localized, PLAN_ACTIONS } from "@andon/contract";
import type { LaneId } from "../lanes/lane-id.ts";
import type { JobRow } from "./rows.ts";

/** Selects jobs. Every member narrows the selection; times are milliseconds since 1970. */
export interface JobFilter {
  queue?: string | undefined;
  state?: JobState | undefined;
  /** Jobs with this lane key. */
  key?: string | undefined;
  name?: string | undefined;
  tenant?: string | undefined;
  /** Jobs of this organisation; within the tenant, if one is given. */
  organization?: string | undefined;
  /** Added at this time or later. */
  from?: number | undefined;
  /** Added before this time. */
  to?: number | undefined;
  /** Jobs whose last error has this fingerprint. */
  fingerprint?: string | undefined;
  /** Jobs whose last error has this code. */
  code?: string | undefined;
  /** Text in the id, ticket, name, a key or the error's message; upper and lower case are equal. */
  text?: string | undefined;
}

/** The result of a search that continued from a position. */
export interface FurtherPage {
  items: JobRow[];
  /** Where to continue; null if all jobs were searched. */
  cursor: number | null;
  /** When the last searched job was added; null if there was none. */
  searchedTo: number | null;
}

/** Selects rows of the audit log. Every member narrows the selection. */
export interface AuditFilter {
  target?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  /** From this moment on, in milliseconds. */
  from?: number | undefined;
  /** Before this moment, in milliseconds. */
  to?: number | undefined;
  /** Decisions about jobs of this tenant, and decisions that it made itself. */
  tenant?: string | undefined;
  /** The same for an organisation of the tenant. */
  organization?: string | undefined;
}

export interface NewAuditRow extends Omit<AuditRow, "id" | "at"> {
  /** The tenant of the decision or its target, if the target is not a job. Default: none. */
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

/** Counts; with `more`, counting stopped early. */
export interface BoundedCounts {
  counts: JobCounts;
  more: boolean;
}

export interface QueueOverview {
  heldLanes: number;
  /** When the job that is next in line was added; null if none is ready. */
  oldestWaitingAt: number | null;
  donePerMinute: number;
}

/** The failed jobs of one queue that have the same fingerprint. */
export interface FingerprintGroup {
  fingerprint: string;
  code: string;
  /** The message of the newest of them. */
  message: string;
  texts?: Localized | undefined;
  count: number;
  firstAt: number;
  lastAt: number;
  newestJobId: string;
  /** The last decision that settled a job with the same fingerprint. */
  lastResolution: { actor: string; reason: string | null; at: number } | null;
}

/** The decisions about failures of one cause, and whether they helped. */
export interface Remedies {
  /** Counts over the latest decisions. A retry whose job still waits or runs has neither worked nor failed again. */
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
  /** Of a retry: whether the job succeeded afterwards; null if that is not known, and for a skip. */
  readonly worked: boolean | null;
}

export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** The members of a job that show whether it has changed, and its lanes. */
export interface PlannedJob {
  pos: number;
  id: string;
  ticket: string;
  state: JobState;
  attempts: number;
  fence: number;
  lanes: readonly LaneId[];
}

/** The effect that a plan would have. */
export interface PlanReach {
  byState: Partial<JobCounts>;
  /** Lanes that a failed job holds and that the plan would open. */
  lanesOpened: number;
  /** Jobs that wait in those lanes. */
  waitingBehind: number;
  /** Whether the queue is stopped: then retried jobs run only after it is resumed. */
  queueStopped: boolean;
  /** Selected jobs whose state does not allow the action; for a filter, as far as a search counts. */
  leftOut: number;
}

export interface PlanRow {
  id: string;
  queue: string;
  action: PlanAction;
  actor: string;
  reason: string | null;
  /** It has only jobs of this tenant, and only this tenant and callers without a scope see it; null: no scope. */
  tenant: string | null;
  /** The same for an organisation of the tenant. */
  organization: string | null;
  createdAt: number;
  expiresAt: number;
  appliedAt: number | null;
  reach: PlanReach;
  /** The number of jobs in its list, which has the plan's id as its name. */
  count: number;
}
