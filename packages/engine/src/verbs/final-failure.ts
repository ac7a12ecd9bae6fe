import type { FailurePolicy, Job, JobError } from "@andon/contract";
import type { Failure } from "../lifecycle/failure.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { QueueRow, Store, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { cancelWaiting } from "./cancel.ts";
import { afterAttempt, type EndedClaim } from "./claimed-job.ts";
import { passProbeOn } from "./probe.ts";
import { stopQueue } from "./stop.ts";

/** Who decided where no person did. */
export const SYSTEM = "system";

/** What the final failure does to the line. `isHeld`: its lanes are locked, so that they can be held in this transaction. */
export interface FinalPolicy {
  readonly policy: FailurePolicy;
  readonly isHeld: boolean;
}

/** The last attempt failed: the job, its lane, its queue and the records change in this one transaction. */
export async function failFinally(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  ended: EndedClaim,
  failure: Failure,
  { policy, isHeld }: FinalPolicy,
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
  if (isHeld && HOLDING.has(policy)) await holdLanes(tx, queue, job, failure, at);
  await AFTER[policy](tx, queue, row, ended, failure, at);
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
  at: number,
) => Promise<void>;

/** Policies that leave the failed job at the head of its lanes. */
const HOLDING: ReadonlySet<FailurePolicy> = new Set(["stop-queue", "hold-lane"]);

/** What each policy does beside the job itself and its lanes. */
const AFTER: Record<FailurePolicy, After> = {
  "stop-queue": async (tx, queue, row, ended, failure, at) => {
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
  "cancel-rest": async (tx, queue, _row, ended, _failure, at) => {
    const { job } = ended;
    await tx.leaveLanes(queue.name, [job.pos]);
    const [own] = job.keys;
    if (own === undefined) return;
    const reason = `job ${job.id} of the lane failed`;
    const cancelled = await cancelWaiting(
      tx,
      queue,
      await tx.waitingInLane(queue.name, own),
      { actor: SYSTEM, reason },
      at,
    );
    tx.event("lane.rest-cancelled", queue.name, job.id, { key: own, cancelled });
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
