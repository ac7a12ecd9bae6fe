import { AndonError, type Decision, type HeldDecision } from "@andon/contract";
import { type LaneId, lanesOf } from "../lanes/lane-id.ts";
import { guard } from "../lifecycle/job-transitions.ts";
import type { JobRow, OperationRow, QueueRow, StoreTx } from "../ports/store.ts";
import type { Findings, QueueDefinition } from "../queue-definition.ts";
import { cancelWaiting } from "../verbs/cancel.ts";
import { findJob } from "../verbs/find-job.ts";
import { lockWaiting } from "../verbs/lock-waiting.ts";
import { passProbeOn } from "../verbs/probe.ts";
import { moveToResolved } from "../verbs/skip.ts";
import type { DecisionContext } from "./decide-over-failed.ts";
import { newOperation } from "./new-operation.ts";
import type { Started } from "./operations.ts";

export interface SkippedWithRest {
  /** The number of cancelled jobs behind it. */
  cancelled: number;
  /** The decision, if it is held back: nothing is skipped or cancelled yet. */
  decision?: HeldDecision;
}

/**
 * Skips a failed job and cancels the jobs that wait behind it in its own lane. A failed job that has left its lanes
 * blocks no others: only that job is skipped. If many wait, they are cancelled in steps; the failed job blocks the lane
 * until the last of them is cancelled, and is skipped then.
 */
export async function skipWithRest(
  { store, operations }: DecisionContext,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
  findings?: Findings,
): Promise<Started<SkippedWithRest>> {
  const who = { actor: decision.actor, reason: decision.reason?.trim() || null };
  const decided = await store.transaction("skip-with-rest", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    const row = await tx.lockQueue(queue.name, "exclusive");
    const failed = await lockWithRest(tx, found);
    guard(failed.job, "skip");
    return decideWithRest(tx, queue, row, failed, { who, driver: operations.name, findings });
  });
  if (decided.operation) return operations.start(decided.operation, ({ done }) => ({ cancelled: done }));
  store.signal({ kind: "work", queue: queue.name });
  const { cancelled } = decided;
  return { id: null, total: cancelled, finished: Promise.resolve({ cancelled }) };
}

/** A failed job and the jobs that wait behind it, locked with their queue and lanes. */
interface WithRest {
  readonly job: JobRow;
  /** Absent if more jobs wait than one step holds. */
  readonly rest: JobRow[] | undefined;
}

interface HowWithRest {
  readonly who: { readonly actor: string; readonly reason: string | null };
  /** The driver of its steps, if it takes steps; null: the first process that looks for open operations. */
  readonly driver: string | null;
  readonly findings?: Findings | undefined;
}

/** The decision itself, with its row in the audit log. */
export async function decideWithRest(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  { job, rest }: WithRest,
  { who, driver, findings }: HowWithRest,
): Promise<{ cancelled: number; operation?: OperationRow }> {
  const record = (waiting: number | "many", after: object) =>
    tx.addAudit({
      ...who,
      action: "job.skip-with-rest",
      target: `job:${job.id}`,
      before: { state: "failed", error: job.error, waiting },
      after,
    });
  if (rest) {
    // The waiting jobs are cancelled first, while the failed job still blocks them, so that none of them becomes ready.
    await cancelWaiting(tx, queue, rest, who, tx.now());
    for (const { id } of rest) await passProbeOn(tx, row, id);
    await moveToResolved(tx, queue, [job], who, findings);
    await record(rest.length, { state: "resolved", cancelled: rest.map(({ id }) => id) });
    return { cancelled: rest.length };
  }
  const details = { lane: lanesOf(job)[0] as LaneId, jobId: job.id, finding: findings?.get(job.id) };
  const operation = newOperation(tx.now(), "skip-with-rest", { queue: queue.name, ...who, details, driver });
  await tx.addOperation(operation);
  await record("many", { operation: operation.id });
  return { cancelled: 0, operation };
}

export async function lockWithRest(tx: StoreTx, found: JobRow): Promise<WithRest> {
  const { pos, queue } = found;
  const lanes = lanesOf(found);
  const isInLanes = (await tx.inLanes([pos])).has(pos);
  const rest = isInLanes ? (await lockWaiting(tx, queue, lanes[0] as LaneId, lanes)).jobs : [];
  if (!isInLanes) await tx.lockLanes(queue, lanes);
  const [job] = await tx.lockJobs([pos]);
  if (!job) throw new AndonError("JOB_NOT_FOUND", { job: found.id });
  return { job, rest };
}
