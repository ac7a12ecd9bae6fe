import type { OperationRow } from "../ports/store.ts";

/** A decision over many jobs and its progress. */
export interface Operation
  extends Pick<
    OperationRow,
    | "id"
    | "queue"
    | "action"
    | "actor"
    | "reason"
    | "createdAt"
    | "finishedAt"
    | "total"
    | "done"
    | "requested"
  > {
  state: "RUNNING" | "DONE" | "FAILED" | "CANCELLED";
  /** Jobs that had changed before their step, or that a hook refused: their number, and the ids of the first 100. */
  leftOut: { count: number; jobs: readonly string[] };
  /** The last error that prevented a job, or the operation itself, from being finished. */
  problem: string | null;
}

const STATES = {
  freezing: "RUNNING",
  running: "RUNNING",
  done: "DONE",
  failed: "FAILED",
  cancelled: "CANCELLED",
} as const;

export function shownOperation(row: OperationRow): Operation {
  const { id, queue, action, actor, reason, createdAt, finishedAt, total, done, requested } = row;
  return {
    id,
    queue,
    action,
    state: STATES[row.state],
    total,
    done,
    requested,
    leftOut: { count: row.leftOut, jobs: row.leftOutJobs },
    problem: row.result.problem ?? null,
    createdAt,
    finishedAt,
    actor,
    reason,
  };
}
