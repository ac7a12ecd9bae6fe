import { lanesOf } from "../lanes/lane-id.ts";
import { namedFailure, policyFor } from "../lifecycle/failure.ts";
import { ownFailure } from "../lifecycle/own-failures.ts";
import { definitionIn } from "../lifecycle/stages.ts";
import type { Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { failFinally, holdFailed, isWithin, lockLanesOfFailure } from "./final-failure.ts";

/**
 * Finally fails a parked job whose event did not arrive in time, as PARK_EXPIRED. A later arrival is stored, and a
 * retry of the job finds it.
 */
export async function expire(store: Store, definition: QueueDefinition, pos: number): Promise<void> {
  let holdLater: () => Promise<void> = async () => {};
  await store.transaction("expire", async (tx) => {
    const row = await tx.lockQueue(definition.name, "exclusive");
    const found = (await tx.jobs([pos]))[0];
    if (found?.state !== "parked") return;
    const { awaits } = found;
    const queue = definitionIn(definition, found.stage);
    const message = ownFailure("PARK_EXPIRED", { event: awaits?.event ?? "" });
    const failure = namedFailure("PARK_EXPIRED", message, false);
    const policy = policyFor(failure, found, queue.rules);
    const locked = await lockLanesOfFailure(tx, queue.name, lanesOf(found), policy);
    const [job] = await tx.lockJobs([pos]);
    const at = tx.now();
    if (job?.state !== "parked" || (job.awaits?.until ?? at + 1) > at) return;
    const hasArrived = (await tx.arrivals([job.awaits?.event ?? ""])).size > 0;
    if (hasArrived) return;
    const failing = { job, patch: { awaits: null }, event: "expire" as const };
    await failFinally(tx, queue, row, failing, failure, policy, locked, at);
    if (policy === "stop-queue" && !isWithin(job, locked))
      holdLater = () => holdFailed(store, queue, job, failure);
  });
  store.signal({ kind: "work", queue: definition.name });
  await holdLater();
}
