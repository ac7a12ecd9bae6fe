import type { Claim, QueueRow, Store, StoreTx } from "../ports/store.ts";

/** Makes a queue degraded: from now on only this job is claimed, until the destination answers again. */
export async function degrade(
  tx: StoreTx,
  queue: string,
  jobId: string,
  at: number,
  cause: string,
): Promise<void> {
  await tx.saveQueue(queue, { state: "degraded", probeJobId: jobId, degradedAt: at });
  tx.event("queue.degraded", queue, jobId, { cause });
}

/** Opens a degraded queue after its probe got an answer from the destination. */
export async function openAfterProbe(tx: StoreTx, queue: string, jobId: string): Promise<void> {
  const row = await tx.lockQueue(queue, "exclusive");
  if (row.state !== "degraded" || row.probeJobId !== jobId) return;
  await tx.saveQueue(queue, { state: "open", probeJobId: null, degradedAt: null });
  tx.event("queue.recovered", queue, jobId, {});
}

/**
 * Replaces a probe that ended without an answer: the next job in line becomes the probe; without one the queue opens.
 */
export async function passProbeOn(tx: StoreTx, row: QueueRow, jobId: string): Promise<void> {
  if (row.state !== "degraded" || row.probeJobId !== jobId) return;
  const next = await tx.firstReady(row.name);
  if (next) await tx.saveQueue(row.name, { probeJobId: next.id });
  else await tx.saveQueue(row.name, { state: "open", probeJobId: null, degradedAt: null });
  tx.event(next ? "queue.probe-changed" : "queue.recovered", row.name, next?.id ?? null, {});
}

/**
 * Replaces a probe whose lane a person holds: it cannot test anything, and the rest of the queue must not wait for that
 * person.
 */
export async function passBlockedProbeOn(tx: StoreTx, row: QueueRow): Promise<void> {
  if (row.state !== "degraded" || row.probeJobId === null) return;
  const probe = await tx.job({ id: row.probeJobId });
  if (probe?.state === "blocked") await passProbeOn(tx, row, probe.id);
}

/** Claims the probe of a degraded queue, if it is ready. */
export async function claimProbe(store: Store, queue: string, worker: string): Promise<Claim | undefined> {
  return store.transaction("claim-probe", async (tx) => {
    const row = await tx.lockQueue(queue, "exclusive");
    // Its lane may have been held while it ran: then it became blocked when its back-off ended.
    await passBlockedProbeOn(tx, row);
    if (row.state !== "degraded" || row.probeJobId === null) return undefined;
    const probe = await tx.job({ id: row.probeJobId });
    if (probe?.state !== "ready") return undefined;
    tx.tally(queue, { ready: -1, running: 1 });
    return tx.claimReady(probe, worker, row.epoch);
  });
}
