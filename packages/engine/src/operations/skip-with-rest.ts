import { AndonError, type Decision } from "@andon/contract";
import { type LaneId, lanesOf } from "../lanes/lane-id.ts";
import { guard } from "../lifecycle/job-transitions.ts";
import type { JobRow, StoreTx } from "../ports/store.ts";
import type { Findings, QueueDefinition } from "../queue-definition.ts";
import { cancelWaiting } from "../verbs/cancel.ts";
import { findJob } from "../verbs/find-job.ts";
import { lockWaiting } from "../verbs/lock-waiting.ts";
import { passProbeOn } from "../verbs/probe.ts";
import { moveToResolved } from "../verbs/skip.ts";
import type { DecisionContext } from "./decide-over-failed.ts";
import { newOperation } from "./new-operation.ts";
import type { Started } from "./operations.ts";

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
): Promise<Started<{ cancelled: number }>> {
  const { name } = queue;
  const who = { actor: decision.actor, reason: decision.reason?.trim() || null };
  const decided = await store.transaction("skip-with-rest", async (tx) => {
    const found = await findJob(tx, name, jobId, decision);
    const row = await tx.lockQueue(name, "exclusive");
    const { job, rest } = await lockWithRest(tx, found);
    guard(job, "skip");
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
    const given = { queue: name, ...who, details, driver: operations.name };
    const operation = newOperation(tx.now(), "skip-with-rest", given);
    await tx.addOperation(operation);
    await record("many", { operation: operation.id });
    return { operation };
  });
  if (decided.operation) return operations.start(decided.operation, ({ done }) => ({ cancelled: done }));
  store.signal({ kind: "work", queue: name });
  const { cancelled = 0 } = decided;
  return { id: null, total: cancelled, finished: Promise.resolve({ cancelled }) };
}

/** The failed job with what waits behind it, locked; `rest` is absent where more wait than one step holds. */
async function lockWithRest(
  tx: StoreTx,
  found: JobRow,
): Promise<{ job: JobRow; rest: JobRow[] | undefined }> {
  const { pos, queue } = found;
  const lanes = lanesOf(found);
  const isInLanes = (await tx.inLanes([pos])).has(pos);
  const rest = isInLanes ? (await lockWaiting(tx, queue, lanes[0] as LaneId, lanes)).jobs : [];
  if (!isInLanes) await tx.lockLanes(queue, lanes);
  const [job] = await tx.lockJobs([pos]);
  if (!job) throw new AndonError("JOB_NOT_FOUND", { job: found.id });
  return { job, rest };
}
