import { lanesOf } from "../lanes/lane-id.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { Claim, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { endClaim } from "./claimed-job.ts";
import { settleWish } from "./settle-wish.ts";

/**
 * Gives back a claim whose handler has not started, for `ms`: the job keeps its place in its lanes, its attempts and
 * the count of its losses, and no attempt is recorded.
 */
export async function postpone(
  store: Store,
  queue: QueueDefinition,
  claim: Claim,
  ms: number,
): Promise<void> {
  await store.transaction("postpone", async (tx) => {
    const row = await tx.lockQueue(queue.name, claim.isProbe ? "exclusive" : "share");
    await tx.lockLanes(queue.name, lanesOf(claim.job));
    const ended = await endClaim(tx, claim);
    if (await settleWish(tx, queue, row, ended, tx.now())) return;
    const { fence } = ended.running;
    const due = tx.now() + ms;
    await moveJobs(tx, [ended.job], "postpone", { to: "scheduled", due, kind: "backoff" }, { fence });
  });
  store.signal({ kind: "timer" });
}
