import { AndonError, type Decision, waitingOf } from "@andon/contract";
import type { Store, StoreTx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";

export interface Resumed {
  /** False where the queue was open already. */
  changed: boolean;
  resumedAt: number;
  /** Jobs that now wait for their turn; those that wait for a time are not among them. */
  pending: number;
  /** Failed jobs that still stand; the lanes they hold stay held. */
  unresolved: number;
}

const MOST_LISTED = 100;

/** An operator lets a stopped queue go on, at once or in waves (verbs/ramp.ts). A degraded one is opened too: the operator knows better than its probe. */
export async function resume(
  store: Store,
  queue: QueueDefinition,
  decision: Decision,
  waves?: readonly number[],
): Promise<Resumed> {
  const { name, rules } = queue;
  const resumed = await store.transaction("resume", async (tx) => {
    const row = await tx.lockQueue(name, "exclusive");
    const resumedAt = tx.now();
    const changed = row.state !== "open" || (row.ramp !== null && waves === undefined);
    if (changed && rules.resumeRequiresResolution) await refuseWhileFailed(tx, name);
    if (changed) await openQueue(tx, queue, decision, resumedAt, waves);
    // Under the lock, which keeps claims out: what is told is what waited.
    const counts = await tx.counts(name);
    return { changed, resumedAt, pending: waitingOf(counts), unresolved: counts.failed };
  });
  store.signal({ kind: "work", queue: name });
  return resumed;
}

/** Opens a queue that is not open, or one that ramps; with `waves` it ramps. */
export async function openQueue(
  tx: StoreTx,
  { name, hooks }: QueueDefinition,
  decision: Decision,
  at: number,
  waves?: readonly number[],
): Promise<void> {
  // A copy: saving the queue changes the row that its lock gave.
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
