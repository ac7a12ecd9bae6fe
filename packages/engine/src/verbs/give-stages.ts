import { lanesOf } from "../lanes/lane-id.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { Claim, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { endClaim } from "./claimed-job.ts";
import { passProbeOn } from "./probe.ts";
import { settleWish } from "./settle-wish.ts";

/**
 * Gives all stages to a claimed job that was added without them (before its queue had any, or by a schedule), and puts
 * it back in line at its place, so that the limit of its first stage counts it.
 */
export async function giveStages(store: Store, queue: QueueDefinition, claim: Claim): Promise<void> {
  const stages = queue.rules.stages?.map(({ name }) => name) ?? [];
  await store.transaction("give-stages", async (tx) => {
    const row = await tx.lockQueue(queue.name, claim.isProbe ? "exclusive" : "share");
    await tx.lockLanes(queue.name, lanesOf(claim.job));
    const ended = await endClaim(tx, claim);
    if (await settleWish(tx, queue, row, ended, tx.now())) return;
    const { job, running } = ended;
    const patch = { fence: running.fence, stages: JSON.stringify(stages), stage: stages[0] as string };
    await moveJobs(tx, [job], "giveBack", { to: "line" }, patch);
    await passProbeOn(tx, row, job.id);
  });
  store.signal({ kind: "work", queue: queue.name });
}
