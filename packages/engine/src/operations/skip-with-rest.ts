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
  /** How many jobs behind it. */
  cancelled: number;
  /** The decision, where it is held back: then nothing is skipped or cancelled yet. */
  decision?: HeldDecision;
}

/**
 * An operator gives up a failed job together with what waits behind it in its own lane. One that has left its lanes keeps
 * nobody waiting: it is skipped, and what is in the lane by now goes on. Where many wait, they are cancelled in steps; the
 * failed job holds them back until the last of them is, and is skipped then.
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

/** A failed job and what waits behind it, locked with their queue and lanes. */
interface WithRest {
  readonly job: JobRow;
  /** Absent where more wait than one step holds. */
  readonly rest: JobRow[] | undefined;
}

interface HowWithRest {
  readonly who: { readonly actor: string; readonly reason: string | null };
  /** Who goes on with it where it takes steps; null: whoever looks first. */
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
    // What waits goes first, while the failed job still holds it back, so that none of it is let through.
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
