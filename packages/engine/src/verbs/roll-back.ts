import type { JobState } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import { publicJob } from "../library/public-job.ts";
import { backoffDelay } from "../lifecycle/backoff.ts";
import { errorOf, type Failure } from "../lifecycle/failure.ts";
import type { JobEvent } from "../lifecycle/job-transitions.ts";
import { moveJobs } from "../lifecycle/move.ts";
import { stageToRollBack } from "../lifecycle/stages.ts";
import type { Random } from "../ports/random.ts";
import type { Claim, JobPatch, JobRow, QueueRow, Store, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { SYSTEM } from "../system-actor.ts";
import { afterAttempt, attemptOf, type EndedClaim, endClaim } from "./claimed-job.ts";
import { passProbeOn } from "./probe.ts";

/*
 * The completed stages of a cancelled job are rolled back in reverse order, on the job's own row: the job is put back
 * in line in the stage that is rolled back, counts against the limit of that stage, and is claimed, fenced, lost and
 * given back like any other. So a roll-back runs at least once, even if a process dies meanwhile; `cancelling` marks
 * such a job.
 */

type Who = { actor: string; reason: string | null };

/** Puts a cancelled job in line to roll back its stages before index `before`; false if none has a roll-back. */
export async function beginRollBack(
  tx: StoreTx,
  queue: QueueDefinition,
  job: JobRow,
  before: number,
  who: Who,
  patch: JobPatch = {},
): Promise<boolean> {
  const stage = stageToRollBack(queue, job, before);
  if (stage === undefined) return false;
  const event = EVENTS[job.state];
  if (!event) throw new Error(`job ${job.id} is ${job.state} and cannot be rolled back`);
  await moveJobs(
    tx,
    [job],
    event,
    { to: "line" },
    {
      ...patch,
      ...FRESH,
      stage,
      awaits: null,
      cancelActor: who.actor,
      cancelReason: who.reason,
    },
  );
  await tx.signalOnCommit({ kind: "work", queue: queue.name });
  return true;
}

const EVENTS: Partial<Record<JobState, JobEvent>> = {
  running: "rollBack",
  parked: "rollBack",
  scheduled: "rollBackWaiting",
  ready: "rollBackWaiting",
  blocked: "rollBackHeld",
};

const FRESH = {
  attempts: 0,
  stalled: 0,
  cursor: null,
  error: null,
  stageStartedAt: null,
  stageElapsed: 0,
} as const;

/** Records that the roll-back of a stage succeeded: the stage before it follows, or the job is cancelled. */
export async function rolledBack(store: Store, queue: QueueDefinition, claim: Claim): Promise<void> {
  await store.transaction("rolled-back", async (tx) => {
    const row = await tx.lockQueue(queue.name, claim.isProbe ? "exclusive" : "share");
    await tx.lockLanes(queue.name, lanesOf(claim.job));
    const ended = await endClaim(tx, claim);
    const { job } = ended;
    await markStage(tx, job, "rolled-back");
    tx.event("job.stage-rolled-back", queue.name, job.id, { stage: job.stage ?? "" });
    await goOnBack(tx, queue, row, ended, tx.now());
  });
  store.signal({ kind: "work", queue: queue.name });
}

/**
 * Records that the roll-back of a stage failed. After its last attempt a person is notified, and the other stages are
 * rolled back all the same.
 */
export async function failRollBack(
  store: Store,
  queue: QueueDefinition,
  claim: Claim,
  failure: Failure,
  random: Random,
): Promise<void> {
  await store.transaction("fail-roll-back", async (tx) => {
    const row = await tx.lockQueue(queue.name, claim.isProbe ? "exclusive" : "share");
    await tx.lockLanes(queue.name, lanesOf(claim.job));
    const ended = await endClaim(tx, claim);
    const at = tx.now();
    tx.tally(queue.name, { attempts_failed: 1 });
    await tx.addAttempt(attemptOf(ended, "failed", at, failure));
    const attempts = ended.job.attempts + 1;
    if (!failure.retryable || attempts >= queue.rules.attempts)
      return giveUpRollBack(tx, queue, row, ended, failure, at);
    const due = at + backoffDelay(queue.rules.backoff, attempts, random);
    const error = errorOf(failure);
    const patch = { ...afterAttempt(ended), attempts, stalled: 0, error };
    await moveJobs(tx, [ended.job], "retryLater", { to: "scheduled", due, kind: "backoff" }, patch);
    tx.event("job.retrying", queue.name, ended.job.id, {
      attempt: attempts,
      of: queue.rules.attempts,
      due,
      ...error,
    });
    await passProbeOn(tx, row, ended.job.id);
  });
  store.signal({ kind: "timer" });
  store.signal({ kind: "work", queue: queue.name });
}

/** Gives up the roll-back of a stage: notifies a person, and continues with the stages before it. */
export async function giveUpRollBack(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  ended: EndedClaim,
  failure: Failure,
  at: number,
): Promise<void> {
  const { job } = ended;
  const stage = job.stage ?? "";
  await markStage(tx, job, "roll-back-failed");
  const error = errorOf(failure);
  tx.event("job.roll-back-failed", queue.name, job.id, { stage, attempts: job.attempts + 1, ...error });
  await queue.hooks.rollBackFailed?.({ ...publicJob(job), error }, stage, tx);
  await goOnBack(tx, queue, row, ended, at);
}

async function markStage(
  tx: StoreTx,
  job: JobRow,
  status: "rolled-back" | "roll-back-failed",
): Promise<void> {
  const stage = (await tx.endedStages(job.pos)).find(({ name }) => name === job.stage);
  if (stage) await tx.saveStage({ ...stage, status });
}

async function goOnBack(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  ended: EndedClaim,
  at: number,
): Promise<void> {
  const { job } = ended;
  const who = job.cancelling ?? { actor: SYSTEM, reason: null };
  const patch = afterAttempt(ended);
  const hasMore = await beginRollBack(tx, queue, job, job.stages.indexOf(job.stage ?? ""), who, patch);
  if (!hasMore) {
    const resolution = { ...who, at };
    const over = { ...patch, resolution, cancelActor: null, cancelReason: null };
    await moveJobs(tx, [job], "cancel", { to: "cancelled", at }, over);
    const { worker, startedAt } = ended.running;
    const after = { ...publicJob(job), worker, startedAt, resolution, cancelling: null };
    await runHook(queue, "cancelled", [{ ...after, state: "cancelled", finishedAt: at }], tx);
    tx.event("job.cancelled", queue.name, job.id, who);
  }
  await passProbeOn(tx, row, job.id);
}
