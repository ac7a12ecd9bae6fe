import { AndonError, type JobCounts, type QueueStatus, type RampStatus } from "@andon/contract";
import { rampStatus } from "../lifecycle/ramp.ts";
import type { QueueRow } from "../ports/rows.ts";
import type { Store } from "../ports/store.ts";

export async function statusOf(store: Store, name: string): Promise<QueueStatus> {
  const row = await store.read.queue(name);
  if (!row) throw new AndonError("QUEUE_NOT_FOUND", { queue: name });
  return shown(store, row, await store.read.counts(name));
}

/** The status of all queues, by name. */
export async function statusOfAll(store: Store): Promise<QueueStatus[]> {
  const rows = await store.read.queues();
  const counts = await store.read.countsOf(rows.map(({ name }) => name));
  return Promise.all(rows.map((row) => shown(store, row, counts.get(row.name) as JobCounts)));
}

/** Null while the queue does not ramp. */
export async function rampOf(store: Store, { ramp }: QueueRow): Promise<RampStatus | null> {
  return ramp && rampStatus(ramp, ramp.jobs.length > 0 ? await store.read.readJobs(ramp.jobs) : []);
}

async function shown(store: Store, row: QueueRow, counts: JobCounts): Promise<QueueStatus> {
  return {
    queue: row.name,
    state: row.state,
    epoch: row.epoch,
    counts,
    stoppedAt: row.stoppedAt,
    stopReason: row.stopReason,
    stopActor: row.stopActor,
    stopJobId: row.stopJobId,
    probeJobId: row.probeJobId,
    degradedAt: row.degradedAt,
    ramp: await rampOf(store, row),
  };
}
