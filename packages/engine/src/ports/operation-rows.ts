import type { JobState, OPERATION_ACTIONS } from "@andon/contract";
import type { LaneId } from "../lanes/lane-id.ts";

export type OperationAction = (typeof OPERATION_ACTIONS)[number];

/** `freezing`: its list is being written; `failed`: it ended without reaching its end, and `result.problem` says why; `cancelled`: a person ended it. */
export type OperationState = "freezing" | "running" | "done" | "failed" | "cancelled";

/** What the action needs beside its list. */
export interface OperationDetails {
  /** The plan that is applied. */
  readonly plan?: string;
  /** The lane whose waiting jobs are cancelled. */
  readonly lane?: LaneId;
  /** The failed job that this began with. */
  readonly jobId?: string;
  /** What was found of the outside world about that job. */
  readonly finding?: unknown;
  /** Of a purge: what ended before these times is deleted, done jobs and those that ended otherwise. */
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
  /** The last error that kept a job, or the operation itself, from its end. */
  readonly problem?: string;
}

/** One decision over many jobs: a frozen list, how far it has come, and who is at it. */
export interface OperationRow {
  readonly id: string;
  readonly queue: string;
  readonly action: OperationAction;
  readonly actor: string;
  readonly reason: string | null;
  /** Whose jobs are in it, where that is one tenant; null: no scope. */
  readonly tenant: string | null;
  /** The same for an organisation of the tenant. */
  readonly organization: string | null;
  readonly details: OperationDetails;
  /** The name of its list: its own id, or the plan's. */
  readonly list: string;
  readonly state: OperationState;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  /** Jobs in the list; 0 until it is whole. */
  readonly total: number;
  /** Jobs that the action was done to. */
  readonly done: number;
  /** Of them, running ones that are asked to stop. */
  readonly requested: number;
  /** Jobs that had changed when their turn came, or that a hook refused; the ids of the first of them. */
  readonly leftOut: number;
  readonly leftOutJobs: readonly string[];
  readonly result: OperationResult;
  /** The next row of the list, and the next item of that row. */
  readonly nextStep: number;
  readonly nextItem: number;
  readonly driver: string | null;
  readonly beat: number;
}

/** A job of a list: its position, its id where an app decides about each job, and in a plan what it was like. */
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
