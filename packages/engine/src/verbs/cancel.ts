import { AndonError, type Decision } from "@andon/contract";
import { isAllowed } from "../lifecycle/job-transitions.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { JobRow, QueueRow, Store, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { afterAttempt, attemptOf, type EndedClaim } from "./claimed-job.ts";
import { findJob } from "./find-job.ts";
import { passProbeOn } from "./probe.ts";

export interface Cancelled {
  /** `requested` for a running job: its handler's signal is aborted, and it is cancelled when the handler has settled. */
  outcome: "cancelled" | "requested";
}

/** An operator no longer wants a job: a waiting one is cancelled at once, a running one through its signal. */
export async function cancel(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
): Promise<Cancelled> {
  const who = { actor: decision.actor, reason: decision.reason?.trim() || null };
  const result = await store.transaction("cancel", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    // Before any lock: whatever its handler and worker have locked, the wish to stop does not wait for them.
    const worker = found.state === "running" && (await wishCancel(tx, found, who));
    if (worker) return { requested: 1, workers: [worker] };
    const row = await tx.lockQueue(queue.name, "exclusive");
    await tx.lockLanes(queue.name, found.keys);
    const [job] = await tx.lockJobs([found.pos]);
    if (!job || !isAllowed(job.state, "cancel")) {
      throw new AndonError("JOB_STATE", {
        job: jobId,
        state: job?.state,
        event: "cancel",
        allowed: "scheduled, blocked, ready, running",
      });
    }
    return cancelJobs(tx, queue, row, [job], who);
  });
  tellWorkers(store, queue.name, result);
  return { outcome: result.requested > 0 ? "requested" : "cancelled" };
}

type Who = { actor: string; reason: string | null };

export interface CancelledJobs {
  /** Running jobs that are asked to stop, and their workers. */
  requested: number;
  workers: readonly string[];
}

/** Cancels jobs that are locked with their queue and lanes: waiting ones at once, running ones by a wish. */
export async function cancelJobs(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  jobs: readonly JobRow[],
  who: Who,
): Promise<CancelledJobs> {
  const running = jobs.filter((job) => job.state === "running");
  const waiting = jobs.filter((job) => job.state !== "running");
  for (const job of waiting) await recordCancel(tx, job, who, "cancelled");
  const workers = new Set<string>();
  for (const job of running) {
    const worker = await wishCancel(tx, job, who);
    if (worker !== undefined) workers.add(worker);
  }
  await cancelWaiting(tx, queue, waiting, who, tx.now());
  for (const job of waiting) await passProbeOn(tx, row, job.id);
  return { requested: running.length, workers: [...workers] };
}

/** Returns the worker that has to be told; undefined where the job does not run any more. */
async function wishCancel(tx: StoreTx, job: JobRow, who: Who): Promise<string | undefined> {
  const running = await tx.wishCancel(job.pos, who);
  if (!running) return undefined;
  await recordCancel(tx, job, who, "running");
  tx.event("job.cancel-requested", job.queue, job.id, who);
  return running.worker;
}

async function recordCancel(tx: StoreTx, job: JobRow, who: Who, state: "running" | "cancelled") {
  await tx.addAudit({
    ...who,
    action: "job.cancel",
    target: `job:${job.id}`,
    before: { state: job.state },
    after: { state, requested: state === "running" },
  });
}

/** After the commit: workers with a wish look for it, the others look for work. */
export function tellWorkers(store: Store, queue: string, { workers }: CancelledJobs): void {
  for (const worker of workers) store.signal({ kind: "cancel", worker });
  store.signal({ kind: "work", queue });
}

/** Cancels waiting jobs of one queue whose lanes are locked; returns how many. */
export async function cancelWaiting(
  tx: StoreTx,
  queue: QueueDefinition,
  jobs: readonly JobRow[],
  who: Who,
  at: number,
): Promise<number> {
  const resolution = { ...who, at };
  await moveJobs(tx, jobs, "cancel", { to: "cancelled", at }, { resolution });
  await runHook(
    queue,
    "cancelled",
    jobs.map((job) => ({ ...job, state: "cancelled" as const, finishedAt: at, resolution })),
    tx,
  );
  for (const job of jobs) tx.event("job.cancelled", queue.name, job.id, who);
  return jobs.length;
}

/** The handler of a job that was to be cancelled has settled, or its worker died: now it is cancelled. */
export async function settleCancel(
  tx: StoreTx,
  queue: QueueDefinition,
  ended: EndedClaim,
  who: Who,
  at: number,
): Promise<void> {
  const { job } = ended;
  await tx.addAttempt(attemptOf(ended, "cancelled", at));
  const patch = { ...afterAttempt(ended), resolution: { ...who, at } };
  await moveJobs(tx, [job], "cancel", { to: "cancelled", at }, patch);
  await runHook(queue, "cancelled", [{ ...job, ...patch, state: "cancelled", finishedAt: at }], tx);
  tx.event("job.cancelled", queue.name, job.id, who);
}
