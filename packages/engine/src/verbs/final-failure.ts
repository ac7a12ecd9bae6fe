import type { FailurePolicy, Job, JobError } from "@andon/contract";
import type { Failure } from "../lifecycle/failure.ts";
import { moveJobs } from "../lifecycle/move.ts";
import { holdForOperation } from "../operations/lane-hold.ts";
import { newOperation } from "../operations/new-operation.ts";
import type { QueueRow, Store, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { cancelWaiting } from "./cancel.ts";
import { afterAttempt, type EndedClaim } from "./claimed-job.ts";
import { lockLanesOfWaiting, waitingWithin } from "./lock-waiting.ts";
import { passProbeOn } from "./probe.ts";
import { stopQueue } from "./stop.ts";

/** Who decided where no person did. */
export const SYSTEM = "system";

/**
 * Locks the lanes of a job that fails, before its claim. Where what waits behind it is to be cancelled, the lanes of that
 * too, all in one go: returns what is locked.
 *
 * A stop waits for no lane: a stranger's transaction that adds to one may stay open for long, and jobs would start meanwhile.
 * Such a lane is held afterwards (`holdFailed`). Nothing of it can start until then: the failed job stays at its head.
 */
export async function lockLanesOfFailure(
  tx: StoreTx,
  queue: string,
  keys: readonly string[],
  policy: FailurePolicy | undefined,
): Promise<ReadonlySet<string>> {
  const [own] = keys;
  if (policy === "cancel-rest" && own !== undefined)
    return (await lockLanesOfWaiting(tx, queue, own, keys)).keys;
  if (policy === "stop-queue") return tx.tryLanes(queue, keys);
  await tx.lockLanes(queue, keys);
  return new Set(keys);
}

/** Whether all lanes of a job are among those that are locked. */
export function isWithin({ keys }: Pick<Job, "keys">, locked: ReadonlySet<string>): boolean {
  return keys.every((key) => locked.has(key));
}

/** The last attempt failed: the job, its lane, its queue and the records change in this one transaction. */
export async function failFinally(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  ended: EndedClaim,
  failure: Failure,
  policy: FailurePolicy,
  locked: ReadonlySet<string>,
  at: number,
): Promise<void> {
  const { job } = ended;
  const error = errorOf(failure);
  const patch = { ...afterAttempt(ended), attempts: job.attempts + 1, error };
  const after: Job = { ...job, ...patch, state: policy === "skip" ? "skipped" : "failed", finishedAt: at };
  if (policy === "skip") {
    await moveJobs(tx, [job], "skip", { to: "skipped", at }, patch);
    await runHook(queue, "skipped", [after], tx);
  } else {
    await moveJobs(tx, [job], "fail", { to: "failed", at }, patch);
    await runHook(queue, "failed", [after], tx);
  }
  tx.event(policy === "skip" ? "job.skipped" : "job.failed", queue.name, job.id, {
    ...error,
    attempts: patch.attempts,
    policy,
  });
  // Asked beforehand: the row that is locked follows what this transaction saves.
  const hasStopped = policy === "stop-queue" && row.state !== "stopped";
  if (HOLDING.has(policy) && isWithin(job, locked)) await holdLanes(tx, queue, job, failure, at);
  await AFTER[policy](tx, queue, row, ended, failure, locked, at);
  if (policy !== "stop-queue") await passProbeOn(tx, row, job.id);
  await queue.hooks.failedFinally?.(after, { policy, hasStopped }, tx);
}

function errorOf({ code, message, fingerprint }: Failure): JobError {
  return { code, message, fingerprint };
}

type After = (
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  ended: EndedClaim,
  failure: Failure,
  locked: ReadonlySet<string>,
  at: number,
) => Promise<void>;

/** Policies that leave the failed job at the head of its lanes. */
const HOLDING: ReadonlySet<FailurePolicy> = new Set(["stop-queue", "hold-lane"]);

/** What each policy does beside the job itself and its lanes. */
const AFTER: Record<FailurePolicy, After> = {
  "stop-queue": async (tx, queue, row, ended, failure, _locked, at) => {
    if (row.state === "stopped") return;
    const cause = { kind: "failure" as const, actor: SYSTEM, reason: queue.rules.stopReason };
    await stopQueue(
      tx,
      queue,
      row,
      { ...cause, job: ended.job, error: { code: failure.code, message: failure.message } },
      at,
    );
  },
  "hold-lane": async () => {},
  "cancel-rest": async (tx, queue, _row, { job }, _failure, locked, at) => {
    const [own] = job.keys;
    if (own === undefined) return;
    const who = { actor: SYSTEM, reason: `job ${job.id} of the lane failed` };
    const waiting = await waitingWithin(tx, queue.name, own, locked);
    if (waiting) {
      await tx.leaveLanes(queue.name, [job.pos]);
      const cancelled = await cancelWaiting(tx, queue, await tx.jobs(waiting.map(({ pos }) => pos)), who, at);
      tx.event("lane.rest-cancelled", queue.name, job.id, { key: own, cancelled });
      return;
    }
    const details = { key: own, jobId: job.id };
    const operation = newOperation(at, "cancel-rest-after-failure", {
      queue: queue.name,
      ...who,
      details,
      driver: null,
    });
    await tx.addOperation(operation);
    // Held before the job leaves, so that nobody behind it is let through.
    await holdForOperation(tx, operation);
    await tx.leaveLanes(queue.name, [job.pos]);
    await tx.signalOnCommit({ kind: "operation" });
  },
  skip: async () => {},
};

/** Holds the lanes of a job whose failure could not wait for them; nothing where a person has settled it since. */
export async function holdFailed(
  store: Store,
  queue: QueueDefinition,
  { id, keys }: Job,
  failure: Failure,
): Promise<void> {
  await store.transaction("hold-failed", async (tx) => {
    await tx.lockLanes(queue.name, keys);
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
  const lanes = await tx.lockLanes(job.queue, job.keys);
  const open = lanes.filter((lane) => lane.held === null);
  // A lane that a person holds stays theirs, and knows which failed job stands at its head when they release it.
  for (const { key, held } of lanes)
    if (held) await tx.holdLanes(job.queue, [key], { ...held, jobId: job.id });
  const held = { at, kind: "failure" as const, by: SYSTEM, reason: failure.code, jobId: job.id };
  await tx.holdLanes(
    job.queue,
    open.map((lane) => lane.key),
    held,
  );
  for (const lane of open) {
    tx.event("lane.held", job.queue, job.id, { key: lane.key, kind: "failure", reason: failure.code });
    await hooks.held?.({ ...lane, held }, { ...job, state: "failed", error: errorOf(failure) }, tx);
  }
}
