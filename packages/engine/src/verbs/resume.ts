import { AndonError, type Decision, waitingOf } from "@andon/contract";
import type { Store, StoreTx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";

export interface Resumed {
  /** False if the queue was open already. */
  changed: boolean;
  resumedAt: number;
  /** The number of jobs that wait for their turn, without those that wait for a time. */
  pending: number;
  /** The number of failed jobs that are not decided yet; the lanes that they hold stay held. */
  unresolved: number;
}

const MOST_LISTED = 100;

/**
 * Resumes a stopped queue, at once or in waves (verbs/ramp.ts). A degraded queue is opened too: the operator's decision
 * overrides its probe.
 */
export async function resume(
  store: Store,
  queue: QueueDefinition,
  decision: Decision,
  waves?: readonly number[],
): Promise<Resumed> {
  const { name, rules } = queue;
  return store.transaction("resume", async (tx) => {
    const row = await tx.lockQueue(name, "exclusive");
    const resumedAt = tx.now();
    const changed = row.state !== "open" || (row.ramp !== null && waves === undefined);
    if (changed && rules.resumeRequiresResolution) await refuseWhileFailed(tx, name);
    if (changed) await openQueue(tx, queue, decision, resumedAt, waves);
    // Read under the lock, which excludes claims, so that the counts are those at the resume.
    const counts = await tx.counts(name);
    return { changed, resumedAt, pending: waitingOf(counts), unresolved: counts.failed };
  });
}

/** Opens a queue that is not open, or one that ramps; with `waves` it ramps. */
export async function openQueue(
  tx: StoreTx,
  { name, hooks }: QueueDefinition,
  decision: Decision,
  at: number,
  waves?: readonly number[],
): Promise<void> {
  // A copy: `saveQueue` changes the row that `lockQueue` returned.
  const row = { ...(await tx.lockQueue(name, "exclusive")) };
  if (row.stopId) await tx.closeStop(row.stopId, at, decision.actor);
  await tx.saveQueue(name, {
    state: "open",
    stoppedAt: null,
    stopReason: null,
    stopActor: null,
    stopJobId: null,
    stopId: null,
    probeJobId: null,
    degradedAt: null,
    ramp: waves ? { waves, wave: 1, jobs: [] } : null,
  });
  await tx.addAudit({
    actor: decision.actor,
    action: "queue.resume",
    target: `queue:${name}`,
    reason: decision.reason?.trim() || null,
    before: {
      state: row.state,
      epoch: row.epoch,
      stop: row.stopId,
      ...(row.ramp ? { ramp: row.ramp.waves } : {}),
    },
    after: { state: "open", epoch: row.epoch, ...(waves ? { ramp: waves } : {}) },
  });
  tx.event("queue.resumed", name, null, {
    actor: decision.actor,
    stop: row.stopId,
    epoch: row.epoch,
    ...(waves ? { waves } : {}),
  });
  await tx.signalOnCommit({ kind: "work", queue: name, opened: true });
  const stop = row.stopId && hooks.resumed ? await tx.stop(row.stopId) : undefined;
  if (stop) await hooks.resumed?.(stop, tx);
}

async function refuseWhileFailed(tx: StoreTx, queue: string): Promise<void> {
  const positions = await tx.firstEnded(queue, "failed", MOST_LISTED);
  if (positions.length === 0) return;
  const jobs = (await tx.lockJobs(positions)).map((job) => job.id);
  const { failed } = await tx.counts(queue);
  throw new AndonError("RESUME_UNRESOLVED", { count: failed, jobs });
}
