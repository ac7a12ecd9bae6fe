import { type LaneId, lanesOf } from "../lanes/lane-id.ts";
import { backoffDelay } from "../lifecycle/backoff.ts";
import { errorOf, type Failure, policyFor } from "../lifecycle/failure.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { Random } from "../ports/random.ts";
import type { Claim, QueueRow, Store, StoreTx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { afterAttempt, attemptOf, type EndedClaim, endClaim } from "./claimed-job.ts";
import { failFinally, failingClaim, holdFailed, isWithin, lockLanesOfFailure } from "./final-failure.ts";
import { degrade, openAfterProbe } from "./probe.ts";
import { isInWave, stopAfterFailure } from "./ramp.ts";
import { settleWish } from "./settle-wish.ts";

/**
 * Records a failed attempt. If attempts are left, the job waits out its back-off at its place; the last one is final. A
 * fault of the destination is charged to one job only, the probe: the others go back to their places uncharged.
 */
export async function fail(
  store: Store,
  queue: QueueDefinition,
  claim: Claim,
  failure: Failure,
  random: Random,
): Promise<void> {
  const { rules } = queue;
  const isFinal = !failure.retryable || claim.job.attempts + 1 >= rules.attempts;
  const isSick = rules.probe && failure.fault === "destination";
  // Called once: `onFinalFailure` may answer differently next time, and the lock below has to fit the answer.
  const policy = isFinal ? policyFor(failure, claim.job, rules) : undefined;
  const mayTouchQueue = isSick || claim.isProbe || claim.inWave || policy === "stop-queue";
  let locked: ReadonlySet<LaneId> = new Set();
  await store.transaction("fail", async (tx) => {
    const row = await tx.lockQueue(queue.name, mayTouchQueue ? "exclusive" : "share");
    locked = await lockLanesOfFailure(tx, queue.name, lanesOf(claim.job), policy);
    const ended = await endClaim(tx, claim);
    const at = tx.now();
    if (await settleWish(tx, queue, row, ended, at)) return;
    tx.tally(queue.name, { attempts_failed: 1 });
    const isProbe = row.state === "degraded" && row.probeJobId === ended.job.id;
    if (isInWave(row, ended.job.pos)) {
      await goBackUncharged(tx, ended, failure, at);
      return stopAfterFailure(tx, queue, row, ended.job, failure);
    }
    if (isSick && row.state === "degraded" && !isProbe) return goBackUncharged(tx, ended, failure, at);
    if (isProbe && !isSick) await openAfterProbe(tx, queue.name, ended.job.id);
    await tx.addAttempt(attemptOf(ended, "failed", at, failure));
    if (policy) return failFinally(tx, queue, row, failingClaim(ended), failure, policy, locked, at);
    await retryLater(tx, queue, row, ended, failure, random, isSick);
  });
  store.signal({ kind: "timer" });
  store.signal({ kind: "work", queue: queue.name });
  if (policy === "stop-queue" && !isWithin(claim.job, locked))
    await holdFailed(store, queue, claim.job, failure);
}

async function goBackUncharged(tx: StoreTx, ended: EndedClaim, failure: Failure, at: number): Promise<void> {
  await tx.addAttempt(attemptOf(ended, "uncharged", at, failure));
  await moveJobs(tx, [ended.job], "giveBack", { to: "line" }, { ...afterAttempt(ended), stalled: 0 });
}

async function retryLater(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  ended: EndedClaim,
  failure: Failure,
  random: Random,
  isSick: boolean,
): Promise<void> {
  const { job } = ended;
  const attempts = job.attempts + 1;
  const due = tx.now() + backoffDelay(queue.rules.backoff, attempts, random);
  const error = errorOf(failure);
  const patch = { ...afterAttempt(ended), attempts, stalled: 0, error };
  await moveJobs(tx, [job], "retryLater", { to: "scheduled", due, kind: "backoff" }, patch);
  tx.event("job.retrying", queue.name, job.id, {
    attempt: attempts,
    of: queue.rules.attempts,
    due,
    ...error,
  });
  if (isSick && row.state === "open" && !row.ramp)
    await degrade(tx, queue.name, job.id, tx.now(), failure.code);
}
