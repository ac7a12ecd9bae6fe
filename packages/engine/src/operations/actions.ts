import { type LaneId, laneOf, lanesOf } from "../lanes/lane-id.ts";
import type {
  JobRow,
  ListItem,
  OperationAction,
  OperationResult,
  OperationRow,
  QueueRow,
  StoreTx,
} from "../ports/store.ts";
import type { DecideEach, Findings, QueueDefinition } from "../queue-definition.ts";
import { type CancelledJobs, cancelJobs, cancelWaiting } from "../verbs/cancel.ts";
import { passProbeOn } from "../verbs/probe.ts";
import { openQueue } from "../verbs/resume.ts";
import { queueAgain } from "../verbs/retry.ts";
import { moveToResolved, skipJobs } from "../verbs/skip.ts";
import { releaseHoldOf } from "./lane-hold.ts";

type Apply = (
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  jobs: readonly JobRow[],
  operation: OperationRow,
  findings: Findings | undefined,
) => Promise<CancelledJobs>;

interface Action {
  /** The same decision about a single job, for which an app may have its own rule. */
  readonly one?: keyof DecideEach;
  /**
   * The source of the jobs of its list; a plan has its list already. `range`: there is no list, since the action covers
   * a range of past times, which no job can enter any more, or a whole queue.
   */
  readonly list: "failed" | "waiting" | "plan" | "range";
  /** Whether `beforeSkip` of the queue is called for each job first. */
  readonly callsBeforeSkip: boolean;
  /** Whether a job of the list is still in the state that the action requires. */
  isEligible(item: ListItem, job: JobRow): boolean;
  /** Applies the action to jobs that are locked with their queue and lanes, with the steps of the verbs for one job. */
  readonly apply: Apply;
  /** Runs after the last job of the list. */
  end?(tx: StoreTx, queue: QueueDefinition, row: QueueRow, operation: OperationRow): Promise<OperationResult>;
}

const NOBODY: CancelledJobs = { requested: 0, workers: [] };
const WAITING: readonly string[] = ["ready", "blocked", "scheduled"];

const isFailed = (_item: ListItem, job: JobRow) => job.state === "failed";
const isWaiting = (_item: ListItem, job: JobRow) => WAITING.includes(job.state);

const retry: Apply = async (tx, queue, _row, jobs, { actor, reason }) => {
  await queueAgain(tx, queue, jobs, { actor, reason: reason ?? undefined });
  return NOBODY;
};
const skip: Apply = async (tx, queue, _row, jobs, { actor, reason }, findings) => {
  await skipJobs(tx, queue, jobs, { actor, reason }, findings);
  return NOBODY;
};
const cancel: Apply = (tx, queue, row, jobs, { actor, reason }) =>
  cancelJobs(tx, queue, row, jobs, { actor, reason });

export const ACTIONS: Readonly<Record<OperationAction, Action>> = {
  "retry-all": { one: "retry", list: "failed", callsBeforeSkip: false, isEligible: isFailed, apply: retry },
  "skip-all-and-resume": {
    one: "skip",
    list: "failed",
    callsBeforeSkip: true,
    isEligible: isFailed,
    apply: skip,
    end: async (tx, queue, row, { actor, reason, result }) => {
      // All or nothing: the queue does not open if one of the jobs could not be skipped.
      if (result.problem !== undefined) throw new Error(result.problem);
      const resumedAt = tx.now();
      const changed = row.state !== "open";
      if (changed) await openQueue(tx, queue, { actor, reason: reason ?? undefined }, resumedAt);
      return { changed, resumedAt };
    },
  },
  retry: { one: "retry", list: "plan", callsBeforeSkip: false, isEligible: isAsPlanned, apply: retry },
  skip: { one: "skip", list: "plan", callsBeforeSkip: true, isEligible: isAsPlanned, apply: skip },
  cancel: { one: "cancel", list: "plan", callsBeforeSkip: false, isEligible: isAsPlanned, apply: cancel },
  "cancel-rest": {
    list: "waiting",
    callsBeforeSkip: false,
    isEligible: isWaiting,
    apply: cancel,
    end: async (tx, _queue, _row, operation) => {
      await releaseHoldOf(tx, operation);
      return {};
    },
  },
  "skip-with-rest": {
    list: "waiting",
    callsBeforeSkip: false,
    isEligible: isWaiting,
    apply: cancel,
    end: async (tx, queue, _row, { actor, reason, details, queue: name }) => {
      const found = await tx.job({ id: details.jobId as string });
      await tx.lockLanes(name, found ? lanesOf(found) : []);
      const [job] = found ? await tx.lockJobs([found.pos]) : [];
      const findings =
        details.finding === undefined ? undefined : new Map([[details.jobId as string, details.finding]]);
      // The decision has written its audit row already.
      if (job?.state === "failed") await moveToResolved(tx, queue, [job], { actor, reason }, findings);
      return {};
    },
  },
  "cancel-rest-after-failure": {
    list: "waiting",
    callsBeforeSkip: false,
    isEligible: isWaiting,
    apply: async (tx, queue, row, jobs, { actor, reason }) => {
      await cancelWaiting(tx, queue, jobs, { actor, reason }, tx.now());
      for (const job of jobs) await passProbeOn(tx, row, job.id);
      return NOBODY;
    },
    end: async (tx, queue, _row, operation) => {
      const { lane, jobId = null } = operation.details;
      const { key } = laneOf(lane as LaneId);
      await releaseHoldOf(tx, operation);
      tx.event("lane.rest-cancelled", queue.name, jobId, { key, cancelled: operation.done });
      return {};
    },
  },
  // Their steps are those of purge-in-steps.ts and delete-queue-in-steps.ts.
  purge: { list: "range", callsBeforeSkip: false, isEligible: () => false, apply: async () => NOBODY },
  "delete-queue": {
    list: "range",
    callsBeforeSkip: false,
    isEligible: () => false,
    apply: async () => NOBODY,
  },
};

/** The app's own rule for each job of such an operation; undefined if the engine decides. */
export function decideOneOf({ decideEach }: QueueDefinition, action: OperationAction) {
  const { one } = ACTIONS[action];
  return one && decideEach?.[one];
}

/** Whether a job is unchanged in every member that the plan has kept of it. */
export function isAsPlanned(
  [, , ticket, state, attempts, fence]: ListItem,
  job: Pick<JobRow, "ticket" | "state" | "attempts" | "fence"> | undefined,
): boolean {
  return (
    job !== undefined &&
    job.ticket === ticket &&
    job.state === state &&
    job.attempts === attempts &&
    job.fence === fence
  );
}
