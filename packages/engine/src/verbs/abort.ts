import { type AbortReceipt, AndonError, type Decision } from "@andon/contract";
import { receiptOf, stopsWithin } from "../bulk/receipt.ts";
import { recordWish } from "../bulk/wishes-under-way.ts";
import { lanesOf } from "../lanes/lane-id.ts";
import { publicJob } from "../library/public-job.ts";
import { isAllowed, JOB_TRANSITIONS } from "../lifecycle/job-transitions.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { JobRow, Store, StoredAbortWish, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { findJob } from "./find-job.ts";
import { passProbeOn } from "./probe.ts";

export interface Aborted {
  /**
   * `aborted`: it has stopped. `requested`: it runs, and stops at its next chunk boundary. `done`: it finished first.
   */
  outcome: "aborted" | "requested" | "done";
  /**
   * The time within which a running job stops, in milliseconds, from measured chunk times; also given if the job has
   * stopped by now. 0 if it did not run.
   */
  stopsWithinMs: number;
  /** Null while it runs. */
  receipt: AbortReceipt | null;
}

/** What the audit log calls the job: the action is `<noun>.abort`. */
export interface AuditNoun {
  noun?: string | undefined;
}

export const DEFAULT_NOUN = "job";

export interface AbortOptions extends AuditNoun {
  /** When the abort was requested, if that was before now because the caller waited for the database. Default: now. */
  requestedAt?: number | undefined;
}

/**
 * Aborts a job so that it can be resumed later: a waiting one at once, and it leaves its lanes; a running one at its
 * next chunk boundary.
 *
 * The request for a running job is stored first, by an insert that waits for no lock. Then the claim is locked and
 * read: a transaction that has just ended it may not have seen the request, and then the job is settled here; a
 * transaction that ends it later reads the request.
 */
export async function abort(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
  { noun = DEFAULT_NOUN, requestedAt = Infinity }: AbortOptions = {},
): Promise<Aborted> {
  const who = { by: decision.actor, reason: decision.reason?.trim() || null, noun };
  const wishAt = (now: number) => ({ ...who, requestedAt: Math.min(requestedAt, now) });
  const asked = await recordWish(store, jobId, async () => {
    const recorded = await store.transaction("abort-wish", async (tx) => {
      const job = await findJob(tx, queue.name, jobId, decision);
      if (job.cancelling) refuse(job);
      return job.state === "running" ? askToStop(tx, queue, job, wishAt(tx.now())) : undefined;
    });
    if (recorded) signalWorker(store, recorded);
    return recorded;
  });
  if (asked) {
    if (await runsStill(store, asked.pos)) return requested(asked);
  }
  const result = await store.transaction("abort", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    const row = await tx.lockQueue(queue.name, "exclusive");
    await tx.lockLanes(queue.name, lanesOf(found));
    const [job] = await tx.lockJobs([found.pos]);
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: jobId });
    const ended = asked && (await endedMeanwhile(tx, job, asked));
    if (ended) return { answer: ended };
    if (!isAllowed(job.state, "abort") || job.cancelling) refuse(job);
    const given = wishAt(tx.now());
    if (job.state === "running") {
      const now = asked ?? (await askToStop(tx, queue, job, given));
      return { answer: requested(now), asked: now };
    }
    const { wish } = await tx.wishAbort(job.pos, given);
    const receipt = await bringToAborted(tx, queue, job, wish, tx.now());
    if (asked) await tx.addAudit(stopAudit(job, wish, receipt));
    else await tx.addAudit({ ...abortAudit(job, given), after: { state: "aborted", receipt } });
    await passProbeOn(tx, row, job.id);
    return { answer: { outcome: "aborted" as const, stopsWithinMs: asked?.stopsWithinMs ?? 0, receipt } };
  });
  if (result.asked) signalWorker(store, result.asked);
  store.signal({ kind: "work", queue: queue.name });
  return result.answer;
}

async function runsStill(store: Store, pos: number): Promise<boolean> {
  return store.transaction("abort-check", async (tx) => {
    const [job] = await tx.lockJobs([pos]);
    return job?.state === "running";
  });
}

interface Asked {
  readonly pos: number;
  readonly fence: number;
  readonly stopsWithinMs: number;
  readonly worker: string | null;
}

/** Stores the request beside a running job; the first one stands. */
async function askToStop(
  tx: StoreTx,
  queue: QueueDefinition,
  job: JobRow,
  given: StoredAbortWish,
): Promise<Asked> {
  const { wish, isFirst } = await tx.wishAbort(job.pos, given);
  const stopsWithinMs = stopsWithin(await tx.bulk(job.pos), queue.rules);
  const after = { state: "running", requested: true, stopsWithinMs };
  const isSame = wish.requestedAt === given.requestedAt && wish.by === given.by;
  // The worker may have read a flag of the same decision and recorded it: one decision has one audit row.
  if (isFirst || !isSame) await tx.addAudit({ ...abortAudit(job, given), after });
  if (isFirst)
    tx.event("job.abort-requested", job.queue, job.id, {
      actor: wish.by,
      reason: wish.reason,
      stopsWithinMs,
    });
  return { pos: job.pos, fence: job.fence, stopsWithinMs, worker: job.worker };
}

function signalWorker(store: Store, { worker, pos, fence }: Asked): void {
  if (worker) store.signal({ kind: "cancel", worker, aborts: { pos, fence } });
}

function requested({ stopsWithinMs }: Asked): Aborted {
  return { outcome: "requested", stopsWithinMs, receipt: null };
}

/** The answer for a job that was asked to stop while it ran, if it has stopped or finished since. */
async function endedMeanwhile(
  tx: StoreTx,
  job: JobRow,
  { stopsWithinMs }: Asked,
): Promise<Aborted | undefined> {
  const { state } = job;
  if (state !== "aborted" && state !== "done") return undefined;
  const bulk = await tx.bulk(job.pos);
  const end = { outcome: state, stoppedAt: job.finishedAt ?? tx.now() };
  return {
    outcome: state,
    stopsWithinMs,
    receipt: bulk?.wish ? receiptOf(job, bulk, bulk.wish, end) : null,
  };
}

function abortAudit(job: JobRow, { by, reason, noun }: StoredAbortWish) {
  const target = `job:${job.id}`;
  const before = { state: job.state };
  return { actor: by, reason, action: `${noun}.abort`, target, tenant: job.tenant, before };
}

/** The audit row of an abort that took effect later than its decision. */
export function stopAudit(job: JobRow, { by, reason, noun }: StoredAbortWish, receipt: AbortReceipt) {
  return {
    actor: by,
    reason,
    action: `${noun}.aborted`,
    target: `job:${job.id}`,
    tenant: job.tenant,
    before: { state: job.state },
    after: { state: "aborted", receipt },
  };
}

/** Moves a job that is locked with its lanes to `aborted`. Writes everything but the audit row of the decision. */
export async function bringToAborted(
  tx: StoreTx,
  queue: QueueDefinition,
  job: JobRow,
  wish: StoredAbortWish,
  at: number,
  patch: Parameters<typeof moveJobs>[4] = {},
): Promise<AbortReceipt> {
  // A transaction that had to wait is older than a request made meanwhile.
  const stoppedAt = Math.max(at, wish.requestedAt);
  const receipt = receiptOf(job, await tx.bulk(job.pos), wish, { outcome: "aborted", stoppedAt });
  const resolution = { actor: wish.by, reason: wish.reason, at: stoppedAt };
  await moveJobs(
    tx,
    [job],
    "abort",
    { to: "aborted", at: stoppedAt },
    { ...patch, resolution, awaits: null },
  );
  const after = { ...publicJob(job), state: "aborted" as const, finishedAt: stoppedAt, resolution };
  await runHook(queue, "aborted", [after], tx);
  tx.event("job.aborted", queue.name, job.id, { actor: wish.by, reason: wish.reason, receipt });
  return receipt;
}

function refuse({ id, state }: JobRow): never {
  const allowed = JOB_TRANSITIONS.abort.from.join(", ");
  throw new AndonError("JOB_STATE", { job: id, state, event: "abort", allowed });
}
