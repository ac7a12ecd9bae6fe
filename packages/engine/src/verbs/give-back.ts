import { AndonError } from "@andon/contract";
import { namedFailure, policyFor } from "../lifecycle/failure.ts";
import { moveJobs } from "../lifecycle/move.ts";
import { ownFailure } from "../lifecycle/own-failures.ts";
import type { Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { settleCancel } from "./cancel.ts";
import { afterAttempt, attemptOf, type Endable, endClaim } from "./claimed-job.ts";
import { failFinally } from "./final-failure.ts";
import { passProbeOn } from "./probe.ts";

export type GiveBackCause = "handed-back" | "lost";

/**
 * Takes a running job back to its place, from its last checkpoint, without charging an attempt: its worker shuts down
 * (`handed-back`), or died (`lost`). A job lost too often in a row fails as STALLED: it may be what kills its workers.
 */
export async function giveBack(
  store: Store,
  queue: QueueDefinition,
  running: Endable,
  cause: GiveBackCause,
): Promise<void> {
  const { name, rules } = queue;
  await store.transaction("give-back", async (tx) => {
    const row = await tx.lockQueue(name, "exclusive");
    const job = await tx.job({ pos: running.pos });
    if (!job) throw new AndonError("CLAIM_LOST", { job: running.pos });
    await tx.lockLanes(name, job.keys);
    const ended = await endClaim(tx, running);
    const at = tx.now();
    if (ended.running.cancel) {
      await settleCancel(tx, queue, ended, ended.running.cancel, at);
      return passProbeOn(tx, row, job.id);
    }
    const stalled = cause === "lost" ? ended.job.stalled + 1 : ended.job.stalled;
    const failure = namedFailure("STALLED", ownFailure("STALLED", { times: stalled }, queue.language), false);
    const isStalled = stalled > rules.maxStalled;
    await tx.addAttempt(attemptOf(ended, cause, at, isStalled ? failure : undefined));
    if (isStalled) {
      const policy = policyFor(failure, ended.job, rules);
      return failFinally(tx, queue, row, ended, failure, { policy, isHeld: true }, at);
    }
    await moveJobs(tx, [ended.job], "giveBack", { to: "line" }, { ...afterAttempt(ended), stalled });
    tx.event(cause === "lost" ? "job.lost" : "job.handed-back", name, job.id, {
      worker: ended.running.worker,
      stalled,
    });
  });
  store.signal({ kind: "work", queue: name });
}
