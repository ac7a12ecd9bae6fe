import { lanesOf } from "../lanes/lane-id.ts";
import { LATEST_TIME } from "../lifecycle/latest-time.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { Claim, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { afterAttempt, attemptOf, endClaim } from "./claimed-job.ts";
import { passProbeOn } from "./probe.ts";
import { settleWish } from "./settle-wish.ts";

/** Schedules a job whose handler asked to be called again later: no attempt is charged and the job keeps its place. */
export async function snooze(store: Store, queue: QueueDefinition, claim: Claim, ms: number): Promise<void> {
  await store.transaction("snooze", async (tx) => {
    const row = await tx.lockQueue(queue.name, claim.isProbe ? "exclusive" : "share");
    await tx.lockLanes(queue.name, lanesOf(claim.job));
    const ended = await endClaim(tx, claim);
    const at = tx.now();
    if (await settleWish(tx, queue, row, ended, at)) return;
    // A job that polls once a second would leave 86,400 rows a day: only the last one is kept.
    await tx.dropAttempts(ended.job.pos, "snoozed");
    await tx.addAttempt(attemptOf(ended, "snoozed", at));
    const due = Math.min(at + Math.max(0, Math.round(ms)), LATEST_TIME);
    await moveJobs(
      tx,
      [ended.job],
      "snooze",
      { to: "scheduled", due, kind: "backoff" },
      { ...afterAttempt(ended), stalled: 0, error: null },
    );
    // A snoozed probe has not tested the destination, and may wait for a job that only runs once the queue is open
    // again.
    await passProbeOn(tx, row, ended.job.id);
  });
  store.signal({ kind: "timer" });
  store.signal({ kind: "work", queue: queue.name });
}
