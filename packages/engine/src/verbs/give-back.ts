import { AndonError } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import { namedFailure, policyFor } from "../lifecycle/failure.ts";
import { moveJobs } from "../lifecycle/move.ts";
import { ownFailure } from "../lifecycle/own-failures.ts";
import type { Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import type { FinishedStage } from "./cancel.ts";
import { afterAttempt, attemptOf, type Endable, endClaim } from "./claimed-job.ts";
import { failFinally, failingClaim, holdFailed, isWithin, lockLanesOfFailure } from "./final-failure.ts";
import { giveUpRollBack } from "./roll-back.ts";
import { settleWish } from "./settle-wish.ts";

export type GiveBackCause = "handed-back" | "lost";

/**
 * Puts a running job back to its place, to continue from its last checkpoint, without charging an attempt: its worker
 * shuts down (`handed-back`), or died (`lost`). A job lost too often in a row fails as STALLED: it may be what kills
 * its workers. `finished`: its handler succeeded, but a request to cancel it prevented that from being written.
 */
export async function giveBack(
  store: Store,
  queue: QueueDefinition,
  running: Endable,
  cause: GiveBackCause,
  finished?: FinishedStage,
): Promise<void> {
  const { name, rules } = queue;
  let holdLater: () => Promise<void> = async () => {};
  await store.transaction("give-back", async (tx) => {
    const row = await tx.lockQueue(name, "exclusive");
    const job = await tx.job({ pos: running.pos });
    if (!job) throw new AndonError("CLAIM_LOST", { job: running.pos });
    const stalled = cause === "lost" ? job.stalled + 1 : job.stalled;
    const failure = namedFailure("STALLED", ownFailure("STALLED", { times: stalled }), false);
    const policy = stalled > rules.maxStalled ? policyFor(failure, job, rules) : undefined;
    const locked = await lockLanesOfFailure(tx, name, lanesOf(job), job.cancelling ? undefined : policy);
    const ended = await endClaim(tx, running);
    const at = tx.now();
    if (await settleWish(tx, queue, row, ended, at, finished)) return;
    await tx.addAttempt(attemptOf(ended, cause, at, policy && failure));
    if (policy && job.cancelling) return giveUpRollBack(tx, queue, row, ended, failure, at);
    if (policy === "stop-queue" && !isWithin(job, locked))
      holdLater = () => holdFailed(store, queue, job, failure);
    if (policy) return failFinally(tx, queue, row, failingClaim(ended), failure, policy, locked, at);
    await moveJobs(tx, [ended.job], "giveBack", { to: "line" }, { ...afterAttempt(ended), stalled });
    tx.event(cause === "lost" ? "job.lost" : "job.handed-back", name, job.id, {
      worker: ended.running.worker,
      stalled,
    });
  });
  store.signal({ kind: "work", queue: name });
  await holdLater();
}
