import { lanesOf } from "../lanes/lane-id.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { Claim, Store, StoreTx, Tx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { endClaim } from "./claimed-job.ts";
import { CALLER_LIMIT_MS } from "./complete.ts";
import { completeStage } from "./complete-stage.ts";
import { openAfterProbe } from "./probe.ts";
import { settleWish } from "./settle-wish.ts";

/**
 * Completes a stage that is not the job's last, together with its handler's own writes: the row continues in the next
 * stage, at its old place. Jobs without lanes and writes advance with the requests of their worker instead. A request
 * to cancel at the boundary, or to abort, is read here: the stage counts as completed and its writes are kept. A cancel
 * then rolls it back with the other stages.
 */
export async function advance(
  store: Store,
  queue: QueueDefinition,
  claim: Claim,
  result: string | null,
  writes: ((tx: Tx) => Promise<void> | void) | null,
): Promise<void> {
  const work = async (tx: StoreTx) => {
    // Before the queue's lock: the handler's writes may take seconds.
    await writes?.(tx);
    const row = await tx.lockQueue(queue.name, claim.isProbe ? "exclusive" : "share");
    await tx.lockLanes(queue.name, lanesOf(claim.job));
    const ended = await endClaim(tx, claim);
    if (await settleWish(tx, queue, row, ended, tx.now(), { result })) return;
    const next = await completeStage(tx, ended, result);
    if (!next) throw new Error(`job ${claim.job.id} has no stage after ${claim.job.stage}`);
    await moveJobs(tx, [ended.job], "advance", { to: "line" }, next);
    if (claim.isProbe) await openAfterProbe(tx, queue.name, ended.job.id);
  };
  await store.transaction("advance", work, CALLER_LIMIT_MS);
  store.signal({ kind: "work", queue: queue.name });
}
