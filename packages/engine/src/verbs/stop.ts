import type { Decision, Job, StopCertificate } from "@andon/contract";
import { newId } from "../ids.ts";
import type { QueueRow, Store, StoreTx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";

export interface StopCause {
  readonly kind: "failure" | "hand";
  readonly actor: string;
  readonly reason: string;
  readonly job: Job | null;
  readonly error: StopCertificate["error"];
}

const MANUAL_PAUSE = "MANUAL_PAUSE";

/** The actions in the audit log: the API calls a person's stop a pause. */
const AUDITED = { hand: "queue.pause", failure: "queue.stop" } as const;

/**
 * Stops a queue whose row is locked exclusively. Claims hold that lock shared, so none of them is under way here, and
 * the next one reads `stopped`. The epoch increases, and the certificate records the running jobs and the last claim.
 */
export async function stopQueue(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  cause: StopCause,
  at: number,
): Promise<StopCertificate> {
  const running = await tx.runningOf({ queue: row.name });
  const last = await tx.lastClaim(row.name);
  const certificate: StopCertificate = {
    id: newId(at),
    queue: row.name,
    epoch: row.epoch,
    at,
    kind: cause.kind,
    actor: cause.actor,
    reason: cause.reason,
    jobId: cause.job?.id ?? null,
    error: cause.error,
    inFlight: running.map(({ id, worker, startedAt }) => ({ jobId: id, worker, startedAt })),
    lastClaim: last?.entry ?? 0,
    lastStarted: last?.jobId ? { jobId: last.jobId, worker: last.worker, at: last.at } : null,
    resumedAt: null,
    resumedBy: null,
  };
  await tx.addStop(certificate);
  await tx.addAudit({
    actor: cause.actor,
    action: AUDITED[cause.kind],
    target: `queue:${row.name}`,
    reason: cause.reason,
    before: { state: row.state, epoch: row.epoch },
    after: { state: "stopped", epoch: row.epoch + 1, stop: certificate.id },
  });
  await tx.saveQueue(row.name, {
    state: "stopped",
    epoch: row.epoch + 1,
    stoppedAt: at,
    stopReason: cause.reason,
    stopActor: cause.actor,
    stopJobId: cause.job?.id ?? null,
    stopId: certificate.id,
    probeJobId: null,
    degradedAt: null,
    ramp: null,
  });
  tx.event("queue.stopped", row.name, certificate.jobId, { ...certificate });
  await queue.hooks.stopped?.(certificate, tx);
  return certificate;
}

/** Stops a queue by hand. Jobs that run finish; a queue that is stopped already keeps its time and reason. */
export async function stop(
  store: Store,
  queue: QueueDefinition,
  decision: Decision,
): Promise<{ changed: boolean; stoppedAt: number; reason: string }> {
  return store.transaction("stop", async (tx) => {
    const row = await tx.lockQueue(queue.name, "exclusive");
    if (row.state === "stopped") {
      return { changed: false, stoppedAt: row.stoppedAt ?? 0, reason: row.stopReason ?? MANUAL_PAUSE };
    }
    const reason = decision.reason?.trim() || MANUAL_PAUSE;
    const at = tx.now();
    const cause = { kind: "hand" as const, actor: decision.actor, reason, job: null, error: null };
    await stopQueue(tx, queue, row, cause, at);
    return { changed: true, stoppedAt: at, reason };
  });
}
