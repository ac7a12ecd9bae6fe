import { AndonError, type Decision, type HeldDecision, type JobState } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import { publicJob } from "../library/public-job.ts";
import { isAllowed, JOB_TRANSITIONS } from "../lifecycle/job-transitions.ts";
import { moveJobs } from "../lifecycle/move.ts";
import { endedStage, outputsWith, stageToRollBack } from "../lifecycle/stages.ts";
import type { CancelTime, JobRow, QueueRow, Store, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { DEFAULT_NOUN } from "./abort.ts";
import { afterAttempt, attemptOf, type EndedClaim } from "./claimed-job.ts";
import { findJob } from "./find-job.ts";
import { passProbeOn } from "./probe.ts";
import { beginRollBack } from "./roll-back.ts";

export interface Cancelled {
  /**
   * `requested` for a running job, which is cancelled when its handler has settled or, at the boundary, has completed;
   * and for a job whose completed stages are rolled back first.
   */
  outcome: "cancelled" | "requested" | "pending";
  /** The decision, if it is held back (`pending`). */
  decision?: HeldDecision;
}

export interface CancelOptions {
  /** Default: `now`. */
  at?: CancelTime | undefined;
}

/** Cancels a job: a waiting one at once, a running one through its signal. */
export async function cancel(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
  { at: time = "now" }: CancelOptions = {},
): Promise<Cancelled> {
  const who = { actor: decision.actor, reason: decision.reason?.trim() || null };
  const result = await store.transaction("cancel", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    // Before any lock, so that the request does not wait for what the job's handler and worker have locked.
    const worker = found.state === "running" && (await wishCancel(tx, queue, found, who, time));
    if (worker) return { requested: 1, workers: [worker] };
    const row = await tx.lockQueue(queue.name, "exclusive");
    await tx.lockLanes(queue.name, lanesOf(found));
    const [job] = await tx.lockJobs([found.pos]);
    if (!job || !isAllowed(job.state, "cancel")) {
      throw new AndonError("JOB_STATE", {
        job: jobId,
        state: job?.state,
        event: "cancel",
        allowed: JOB_TRANSITIONS.cancel.from.join(", "),
      });
    }
    return cancelJobs(tx, queue, row, [job], who, time);
  });
  signalWorkers(store, queue.name, result);
  return { outcome: result.requested > 0 ? "requested" : "cancelled" };
}

type Who = { actor: string; reason: string | null };

export interface CancelledJobs {
  /** Running jobs that are asked to stop, and their workers. */
  requested: number;
  workers: readonly string[];
}

/** Cancels jobs that are locked with their queue and lanes: waiting ones at once, running ones by a request. */
export async function cancelJobs(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  jobs: readonly JobRow[],
  who: Who,
  time: CancelTime = "now",
): Promise<CancelledJobs> {
  const running = jobs.filter((job) => job.state === "running");
  const waiting = jobs.filter((job) => job.state !== "running" && !job.cancelling);
  const rollingBack = jobs.filter((job) => job.cancelling || rollsBack(queue, job));
  for (const job of waiting)
    await recordCancel(tx, queue, job, who, rollsBack(queue, job) ? job.state : "cancelled");
  const workers = new Set<string>();
  for (const job of running) {
    const worker = await wishCancel(tx, queue, job, who, time);
    if (worker !== undefined) workers.add(worker);
  }
  await cancelWaiting(tx, queue, waiting, who, tx.now());
  for (const job of waiting) await passProbeOn(tx, row, job.id);
  const requested = new Set([...running, ...rollingBack].map((job) => job.pos));
  return { requested: requested.size, workers: [...workers] };
}

/** Returns the worker that has to be signalled; undefined if the job no longer runs. */
async function wishCancel(
  tx: StoreTx,
  queue: QueueDefinition,
  job: JobRow,
  who: Who,
  time: CancelTime,
): Promise<string | undefined> {
  // It is cancelled already, and the roll-back that runs continues to its end.
  if (job.cancelling) return job.worker ?? "";
  const running = await tx.wishCancel(job.pos, { ...who, at: time });
  if (!running) return undefined;
  await recordCancel(tx, queue, job, who, "running");
  tx.event("job.cancel-requested", job.queue, job.id, who);
  return running.worker;
}

async function recordCancel(
  tx: StoreTx,
  { noun = DEFAULT_NOUN }: QueueDefinition,
  job: JobRow,
  who: Who,
  state: JobState,
) {
  await tx.addAudit({
    ...who,
    action: `${noun}.cancel`,
    target: `job:${job.id}`,
    before: { state: job.state },
    after: { state, requested: state !== "cancelled" },
  });
}

/** After the commit: workers with a request read it, and the others look for work. */
export function signalWorkers(store: Store, queue: string, { workers }: CancelledJobs): void {
  for (const worker of workers) store.signal({ kind: "cancel", worker });
  store.signal({ kind: "work", queue });
}

/** Cancels waiting jobs of one queue whose lanes are locked, or rolls them back first; returns how many. */
export async function cancelWaiting(
  tx: StoreTx,
  queue: QueueDefinition,
  jobs: readonly JobRow[],
  who: Who,
  at: number,
): Promise<number> {
  const resolution = { ...who, at };
  const ending = jobs.filter((job) => !rollsBack(queue, job));
  for (const job of jobs)
    if (rollsBack(queue, job)) await beginRollBack(tx, queue, job, job.stages.indexOf(job.stage ?? ""), who);
  await moveJobs(tx, ending, "cancel", { to: "cancelled", at }, { resolution, awaits: null });
  await runHook(
    queue,
    "cancelled",
    ending.map((job) => ({ ...job, state: "cancelled" as const, finishedAt: at, resolution })),
    tx,
  );
  for (const job of ending) tx.event("job.cancelled", queue.name, job.id, who);
  return jobs.length;
}

/** Whether stages that it has completed are rolled back before it is cancelled. */
function rollsBack(queue: QueueDefinition, job: JobRow): boolean {
  return stageToRollBack(queue, job, job.stages.indexOf(job.stage ?? "")) !== undefined;
}

/** The result of a stage's handler, as JSON, when its success was not written. */
export interface FinishedStage {
  readonly result: string | null;
}

/** Cancels a job with a cancel request after its handler has settled, or its worker has died. */
export async function settleCancel(
  tx: StoreTx,
  queue: QueueDefinition,
  ended: EndedClaim,
  { actor, reason }: Who,
  at: number,
  finished?: FinishedStage,
): Promise<void> {
  const { job, running } = ended;
  const who = { actor, reason };
  if (!finished) await tx.addAttempt(attemptOf(ended, "cancelled", at));
  if (job.stage !== null) {
    const attempts = job.attempts + (finished ? 1 : 0);
    const facts = { at, fence: running.fence, attempts };
    await tx.saveStage(endedStage(job, finished ? "completed" : "cancelled", facts));
    const behind = job.stages.indexOf(job.stage) + (finished ? 1 : 0);
    const outputs = finished ? { outputs: outputsWith(job, finished.result) } : {};
    const after = { ...afterAttempt(ended), ...outputs };
    if (await beginRollBack(tx, queue, job, behind, who, after)) return;
  }
  const patch = { ...afterAttempt(ended), resolution: { ...who, at } };
  await moveJobs(tx, [job], "cancel", { to: "cancelled", at }, patch);
  const { worker, startedAt } = running;
  const after = { ...publicJob(job), worker, startedAt, resolution: patch.resolution };
  await runHook(queue, "cancelled", [{ ...after, state: "cancelled", finishedAt: at }], tx);
  tx.event("job.cancelled", queue.name, job.id, who);
}
