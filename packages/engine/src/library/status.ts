import { AndonError, type QueueStatus } from "@andon/contract";
import type { Store } from "../ports/store.ts";

export async function statusOf(store: Store, name: string): Promise<QueueStatus> {
  const row = await store.read.queue(name);
  if (!row) throw new AndonError("QUEUE_NOT_FOUND", { queue: name });
  return {
    queue: name,
    state: row.state,
    epoch: row.epoch,
    counts: await store.read.counts(name),
    stoppedAt: row.stoppedAt,
    stopReason: row.stopReason,
    stopActor: row.stopActor,
    stopJobId: row.stopJobId,
    probeJobId: row.probeJobId,
    degradedAt: row.degradedAt,
  };
}
