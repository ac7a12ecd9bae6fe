import { AndonError, type JobCounts, type QueueStatus } from "@andon/contract";
import type { QueueRow } from "../ports/rows.ts";
import type { Store } from "../ports/store.ts";

export async function statusOf(store: Store, name: string): Promise<QueueStatus> {
  const row = await store.read.queue(name);
  if (!row) throw new AndonError("QUEUE_NOT_FOUND", { queue: name });
  return shown(row, await store.read.counts(name));
}

/** Of all queues, by their names. */
export async function statusOfAll(store: Store): Promise<QueueStatus[]> {
  const rows = await store.read.queues();
  const counts = await store.read.countsOf(rows.map(({ name }) => name));
  return rows.map((row) => shown(row, counts.get(row.name) as JobCounts));
}

function shown(row: QueueRow, counts: JobCounts): QueueStatus {
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
  };
}
