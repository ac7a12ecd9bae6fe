import type { JobState, OPERATION_ACTIONS } from "@andon/contract";
import type { LaneId } from "../lanes/lane-id.ts";

export type OperationAction = (typeof OPERATION_ACTIONS)[number];

/**
 * `freezing`: its list is being written; `failed`: it ended early, for the reason in `result.problem`; `cancelled`: a
 * person ended it.
 */
export type OperationState = "freezing" | "running" | "done" | "failed" | "cancelled";

/** The data that the action needs beside its list. */
export interface OperationDetails {
  /** The plan that is applied. */
  readonly plan?: string;
  /** The lane whose waiting jobs are cancelled. */
  readonly lane?: LaneId;
  /** The failed job that the operation began with. */
  readonly jobId?: string;
  /** What the check before the skip found about that job. */
  readonly finding?: unknown;
  /** Of a purge: the times before which jobs must have ended to be deleted, for done jobs and for other ended jobs. */
  readonly before?: { readonly done: number; readonly ended: number };
  /** Of the deletion of a queue: whether it was begun by a process that defines the queue. */
  readonly isDefined?: boolean;
  /** The last failed job that the decision is about. */
  readonly upTo?: EndedPlace;
}

/** A place in the list of ended jobs of one queue and state. */
export interface EndedPlace {
  readonly at: number;
  readonly pos: number;
}

export interface OperationResult {
  /** Whether the queue had to be opened, and when. */
  readonly changed?: boolean;
  readonly resumedAt?: number;
  /** The last error that prevented a job, or the operation itself, from being finished. */
  readonly problem?: string;
}

/** One decision over many jobs: its frozen list, its progress and its driver. */
export interface OperationRow {
  readonly id: string;
  readonly queue: string;
  readonly action: OperationAction;
  readonly actor: string;
  readonly reason: string | null;
  /** The tenant to which its jobs are limited; null: no scope. */
  readonly tenant: string | null;
  /** The same for an organisation of the tenant. */
  readonly organization: string | null;
  readonly details: OperationDetails;
  /** The name of its list: its own id, or the plan's. */
  readonly list: string;
  readonly state: OperationState;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  /** The number of jobs in the list; 0 until the list is complete. */
  readonly total: number;
  /** The number of jobs to which the action was applied. */
  readonly done: number;
  /** How many of them are running and were asked to stop. */
  readonly requested: number;
  /**
   * Jobs that had changed before their step, or that a hook refused: their number, and the ids of the first of them.
   */
  readonly leftOut: number;
  readonly leftOutJobs: readonly string[];
  readonly result: OperationResult;
  /** The next row of the list, and the next item of that row. */
  readonly nextStep: number;
  readonly nextItem: number;
  readonly driver: string | null;
  readonly beat: number;
}

/** A job of a list: its position; its id, if an app decides about each job; in a plan also its members at that time. */
export type ListItem =
  | readonly [pos: number]
  | readonly [pos: number, id: string]
  | readonly [pos: number, id: string, ticket: string, state: JobState, attempts: number, fence: number];

export interface OperationFilter {
  queue?: string | undefined;
  /** Only operations of this tenant. */
  tenant?: string | undefined;
  /** Only operations of this organisation of the tenant. */
  organization?: string | undefined;
  /** Only those that have not ended. */
  open?: boolean | undefined;
}
