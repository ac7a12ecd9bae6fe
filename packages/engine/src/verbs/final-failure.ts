import type { FailurePolicy, Job, StopCertificate } from "@andon/contract";
import { type LaneId, lanesOf } from "../lanes/lane-id.ts";
import { publicJob } from "../library/public-job.ts";
import { errorOf, type Failure } from "../lifecycle/failure.ts";
import { moveJobs } from "../lifecycle/move.ts";
import { holdForOperation } from "../operations/lane-hold.ts";
import { newOperation } from "../operations/new-operation.ts";
import type { JobPatch, JobRow, QueueRow, Store, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { SYSTEM } from "../system-actor.ts";
import { cancelWaiting } from "./cancel.ts";
import { afterAttempt, type EndedClaim } from "./claimed-job.ts";
import { lockLanesOfWaiting, waitingWithin } from "./lock-waiting.ts";
import { passProbeOn } from "./probe.ts";
import { stopQueue } from "./stop.ts";

/**
 * Locks the lanes of a job that fails, before its claim. If the jobs that wait behind it are to be cancelled, their
 * lanes are locked in the same call. Returns the locked lanes.
 *
 * A stop waits for no lane: a caller's transaction that adds to one may stay open for long, and jobs would start
 * meanwhile. Such a lane is held afterwards (`holdFailed`). None of its jobs can start until then, since the failed job
 * stays at its head.
 */
export async function lockLanesOfFailure(
  tx: StoreTx,
  queue: string,
  lanes: readonly LaneId[],
  policy: FailurePolicy | undefined,
): Promise<ReadonlySet<LaneId>> {
  const [own] = lanes;
  if (policy === "cancel-rest" && own !== undefined)
    return (await lockLanesOfWaiting(tx, queue, own, lanes)).locked;
  if (policy === "stop-queue") return tx.tryLanes(queue, lanes);
  await tx.lockLanes(queue, lanes);
  return new Set(lanes);
}

/** Whether all lanes of a job are among those that are locked. */
export function isWithin(job: Pick<Job, "tenant" | "keys">, locked: ReadonlySet<LaneId>): boolean {
  return lanesOf(job).every((lane) => locked.has(lane));
}

/** A job that finally fails, the patch of its row beside the error, and the arrow that it takes. */
interface FailingJob {
  readonly job: JobRow;
  readonly patch: JobPatch;
  readonly event: "fail" | "expire";
}

/** The failing job of a claim whose last attempt failed. */
export function failingClaim(ended: EndedClaim): FailingJob {
  const { job } = ended;
  return { job, patch: { ...afterAttempt(ended), attempts: job.attempts + 1 }, event: "fail" };
}

/** Applies a final failure: the job, its lanes, its queue and the records change in this one transaction. */
export async function failFinally(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  { job, patch: written, event }: FailingJob,
  failure: Failure,
  policy: FailurePolicy,
  locked: ReadonlySet<LaneId>,
  at: number,
): Promise<void> {
  const error = errorOf(failure);
  const patch = { ...written, error };
  const attempts = written.attempts ?? job.attempts;
  const state = policy === "skip" ? ("skipped" as const) : ("failed" as const);
  const after: Job = { ...publicJob(job), attempts, error, state, finishedAt: at };
  if (written.worker !== undefined) after.worker = written.worker;
  if (written.startedAt !== undefined) after.startedAt = written.startedAt;
  if (policy === "skip") {
    const arrow = event === "fail" ? "skipByPolicy" : event;
    await moveJobs(tx, [job], arrow, { to: "skipped", at }, patch);
    await runHook(queue, "skipped", [after], tx);
  } else {
    await moveJobs(tx, [job], event, { to: "failed", at }, patch);
    await runHook(queue, "failed", [after], tx);
  }
  tx.event(policy === "skip" ? "job.skipped" : "job.failed", queue.name, job.id, {
    ...error,
    attempts,
    policy,
  });
  // Read beforehand: `row` changes with what this transaction saves.
  const hasStopped = policy === "stop-queue" && row.state !== "stopped";
  if (HOLDING.has(policy) && isWithin(job, locked)) await holdLanes(tx, queue, job, failure, at);
  await AFTER[policy](tx, queue, row, job, failure, locked, at);
  if (policy !== "stop-queue") await passProbeOn(tx, row, job.id);
  await queue.hooks.failedFinally?.(after, { policy, hasStopped }, tx);
}

/** The certificate is about the stop only, so it has no fingerprint, which groups failures. */
function stopErrorOf(failure: Failure): StopCertificate["error"] {
  const { fingerprint: _fingerprint, ...error } = errorOf(failure);
  return error;
}

type After = (
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  job: JobRow,
  failure: Failure,
  locked: ReadonlySet<LaneId>,
  at: number,
) => Promise<void>;

/** Policies that leave the failed job at the head of its lanes. */
const HOLDING: ReadonlySet<FailurePolicy> = new Set(["stop-queue", "hold-lane"]);

/** What each policy does beside the job itself and its lanes. */
const AFTER: Record<FailurePolicy, After> = {
  "stop-queue": async (tx, queue, row, job, failure, _locked, at) => {
    if (row.state === "stopped") return;
    const cause = { kind: "failure" as const, actor: SYSTEM, reason: queue.rules.stopReason };
    await stopQueue(tx, queue, row, { ...cause, job, error: stopErrorOf(failure) }, at);
  },
  "hold-lane": async () => {},
  "cancel-rest": async (tx, queue, _row, job, _failure, locked, at) => {
    const [own] = lanesOf(job);
    const [key] = job.keys;
    if (own === undefined || key === undefined) return;
    const who = { actor: SYSTEM, reason: `job ${job.id} of the lane failed` };
    const waiting = await waitingWithin(tx, queue.name, own, locked);
    if (waiting) {
      await tx.leaveLanes(queue.name, [job.pos]);
      const cancelled = await cancelWaiting(tx, queue, await tx.jobs(waiting.map(({ pos }) => pos)), who, at);
      tx.event("lane.rest-cancelled", queue.name, job.id, { key, cancelled });
      return;
    }
    const details = { lane: own, jobId: job.id };
    const operation = newOperation(at, "cancel-rest-after-failure", {
      queue: queue.name,
      ...who,
      details,
      driver: null,
    });
    await tx.addOperation(operation);
    // Held before the job leaves, so that no job behind it is admitted.
    await holdForOperation(tx, operation);
    await tx.leaveLanes(queue.name, [job.pos]);
    await tx.signalOnCommit({ kind: "operation" });
  },
  skip: async () => {},
};

/**
 * Holds the lanes of a job whose failure could not wait for them; does nothing if a person has settled the job since.
 */
export async function holdFailed(
  store: Store,
  queue: QueueDefinition,
  { id, tenant, keys }: Job,
  failure: Failure,
): Promise<void> {
  await store.transaction("hold-failed", async (tx) => {
    await tx.lockLanes(queue.name, lanesOf({ tenant, keys }));
    const job = await tx.job({ id });
    if (job?.state === "failed") await holdLanes(tx, queue, job, failure, tx.now());
  });
}

async function holdLanes(
  tx: StoreTx,
  { hooks }: QueueDefinition,
  job: Job,
  failure: Failure,
  at: number,
): Promise<void> {
  if (job.keys.length === 0) return;
  const lanes = await tx.lockLanes(job.queue, lanesOf(job));
  const open = lanes.filter((lane) => lane.held === null);
  // A lane that a person holds stays held by that person, and records the failed job at its head for the release.
  for (const { id, held } of lanes) if (held) await tx.holdLanes(job.queue, [id], { ...held, jobId: job.id });
  const held = { at, kind: "failure" as const, by: SYSTEM, reason: failure.code, jobId: job.id };
  await tx.holdLanes(
    job.queue,
    open.map((lane) => lane.id),
    held,
  );
  for (const { id: _id, ...lane } of open) {
    tx.event("lane.held", job.queue, job.id, { key: lane.key, kind: "failure", reason: failure.code });
    await hooks.held?.({ ...lane, held }, { ...job, state: "failed", error: errorOf(failure) }, tx);
  }
}
