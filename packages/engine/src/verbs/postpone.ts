import { moveJobs } from "../lifecycle/move.ts";
import type { Claim, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { settleCancel } from "./cancel.ts";
import { endClaim } from "./claimed-job.ts";
import { passProbeOn } from "./probe.ts";

/**
 * Gives a claim back whose handler has not started, for so long: the job keeps its place in its lanes, its attempts and
 * the count of its losses, and there is nothing for its history.
 */
export async function postpone(
  store: Store,
  queue: QueueDefinition,
  claim: Claim,
  ms: number,
): Promise<void> {
  await store.transaction("postpone", async (tx) => {
    const row = await tx.lockQueue(queue.name, claim.isProbe ? "exclusive" : "share");
    await tx.lockLanes(queue.name, claim.job.keys);
    const ended = await endClaim(tx, claim);
    const { cancel, fence } = ended.running;
    if (cancel) {
      await settleCancel(tx, queue, ended, cancel, tx.now());
      return passProbeOn(tx, row, ended.job.id);
    }
    const due = tx.now() + ms;
    await moveJobs(tx, [ended.job], "postpone", { to: "scheduled", due, kind: "backoff" }, { fence });
  });
  store.signal({ kind: "timer" });
}
