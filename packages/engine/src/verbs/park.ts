import { lanesOf } from "../lanes/lane-id.ts";
import { LATEST_TIME } from "../lifecycle/latest-time.ts";
import { moveJobs } from "../lifecycle/move.ts";
import { expiryOf, type ParkOptions } from "../lifecycle/thrown.ts";
import type { Claim, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { afterAttempt, endClaim } from "./claimed-job.ts";
import { passProbeOn } from "./probe.ts";
import { settleWish } from "./settle-wish.ts";

/**
 * Parks a job whose handler waits for an external event: its claim ends and its place in the worker is free, no attempt
 * is charged, and the job keeps its lanes. An arrival locks the same row of the event as this does, so that an arrival
 * at the same moment is not missed; if the event has arrived already, the job goes straight back in line.
 */
export async function park(
  store: Store,
  queue: QueueDefinition,
  claim: Claim,
  event: string,
  options: ParkOptions,
): Promise<void> {
  await store.transaction("park", async (tx) => {
    const row = await tx.lockQueue(queue.name, claim.isProbe ? "exclusive" : "share");
    const arrival = await tx.lockArrival(event);
    await tx.lockLanes(queue.name, lanesOf(claim.job));
    const ended = await endClaim(tx, claim);
    const { job } = ended;
    const at = tx.now();
    if (await settleWish(tx, queue, row, ended, at)) return;
    const patch = { ...afterAttempt(ended), stalled: 0, error: null };
    if (arrival) {
      const arrivals = JSON.stringify({ ...job.arrivals, [event]: arrival });
      await moveJobs(tx, [job], "park", { to: "line" }, { ...patch, arrivals });
      tx.event("job.arrived", queue.name, job.id, { event });
    } else {
      const until = expiryOf(options, at) ?? LATEST_TIME;
      await moveJobs(tx, [job], "park", { to: "parked", at, until }, { ...patch, awaits: event });
      tx.event("job.parked", queue.name, job.id, { event, until: until === LATEST_TIME ? null : until });
    }
    await passProbeOn(tx, row, job.id);
  });
  store.signal({ kind: "timer" });
  store.signal({ kind: "work", queue: queue.name });
}
