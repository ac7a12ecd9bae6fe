import { AndonError, type Decision } from "@andon/contract";
import { guard } from "../lifecycle/job-transitions.ts";
import type { JobRow, Store, StoreTx } from "../ports/store.ts";
import type { Findings, QueueDefinition } from "../queue-definition.ts";
import { cancelWaiting } from "./cancel.ts";
import { findJob } from "./find-job.ts";
import { lockWaiting } from "./lock-waiting.ts";
import { passProbeOn } from "./probe.ts";
import { bringToResolved } from "./resolve.ts";

/**
 * An operator gives up a failed job together with what waits behind it in its own lane. One that has left its lanes keeps
 * nobody waiting: it is resolved, and what is in the lane by now goes on.
 */
export async function resolveWithRest(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
  findings?: Findings,
): Promise<{ cancelled: number }> {
  const { name } = queue;
  const who = { actor: decision.actor, reason: decision.reason?.trim() || null };
  const cancelled = await store.transaction("resolve-with-rest", async (tx) => {
    const found = await findJob(tx, name, jobId, decision);
    const row = await tx.lockQueue(name, "exclusive");
    const { job, rest } = await lockWithRest(tx, found);
    guard(job, "resolve");
    // What waits goes first, while the failed job still holds it back, so that none of it is let through.
    await cancelWaiting(tx, queue, rest, who, tx.now());
    for (const { id } of rest) await passProbeOn(tx, row, id);
    await bringToResolved(tx, queue, [job], who, findings);
    await tx.addAudit({
      ...who,
      action: "job.resolve-with-rest",
      target: `job:${job.id}`,
      before: { state: "failed", error: job.error, waiting: rest.length },
      after: { state: "resolved", cancelled: rest.map(({ id }) => id) },
    });
    return rest.length;
  });
  store.signal({ kind: "work", queue: name });
  return { cancelled };
}

async function lockWithRest(tx: StoreTx, found: JobRow): Promise<{ job: JobRow; rest: JobRow[] }> {
  const { pos } = found;
  const rest = (await tx.inLanes([pos])).has(pos) ? await lockBehind(tx, found) : [];
  await tx.lockLanes(found.queue, found.keys);
  const [job] = await tx.lockJobs([pos]);
  if (!job) throw new AndonError("JOB_NOT_FOUND", { job: found.id });
  return { job, rest };
}

async function lockBehind(tx: StoreTx, { queue, keys }: JobRow): Promise<JobRow[]> {
  return (await lockWaiting(tx, queue, keys[0] as string, keys)).jobs;
}
