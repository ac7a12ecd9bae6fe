import type { FlagWish } from "../bulk/abort-flags.ts";
import { lanesOf } from "../lanes/lane-id.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { Claim, QueueRow, Store, StoreTx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { bringToAborted, DEFAULT_NOUN, stopAudit } from "./abort.ts";
import { type FinishedStage, settleCancel } from "./cancel.ts";
import { afterAttempt, attemptOf, type EndedClaim, endClaim } from "./claimed-job.ts";
import { completeStage } from "./complete-stage.ts";
import { passProbeOn } from "./probe.ts";

/**
 * Applies a request that was stored while the job ran: the job is cancelled or aborted, whatever its outcome would have
 * been. False if there is no request.
 */
export async function settleWish(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  ended: EndedClaim,
  at: number,
  finished?: FinishedStage,
): Promise<boolean> {
  const { cancel, abort } = ended.running;
  if (cancel) await settleCancel(tx, queue, ended, cancel, at, finished);
  // A job that is cancelled already rolls back its stages, and continues to its end.
  else if (abort && !ended.job.cancelling) {
    // A completed stage stays completed: the job continues in the next one when it is resumed.
    const next = finished && (await completeStage(tx, ended, finished.result));
    if (!next) await tx.addAttempt(attemptOf(ended, "aborted", at));
    const receipt = await bringToAborted(tx, queue, ended.job, abort, at, next ?? afterAttempt(ended));
    await tx.addAudit(stopAudit(ended.job, abort, receipt));
  } else return false;
  await passProbeOn(tx, row, ended.job.id);
  return true;
}

/** Aborts a walk at a chunk boundary: the request is in the store, or in a flag elsewhere, which is recorded here. */
export async function abortClaim(
  store: Store,
  queue: QueueDefinition,
  claim: Claim,
  flag: FlagWish | null,
): Promise<void> {
  await store.transaction("abort-claim", async (tx) => {
    const row = await tx.lockQueue(queue.name, claim.isProbe ? "exclusive" : "share");
    await tx.lockLanes(queue.name, lanesOf(claim.job));
    const ended = await endClaim(tx, claim);
    const at = tx.now();
    if (await settleWish(tx, queue, row, await withFlag(tx, ended, flag), at)) return;
    // The request was withdrawn meanwhile: the job continues.
    await tx.addAttempt(attemptOf(ended, "handed-back", at));
    await moveJobs(tx, [ended.job], "giveBack", { to: "line" }, { ...afterAttempt(ended), stalled: 0 });
  });
  store.signal({ kind: "work", queue: queue.name });
}

async function withFlag(tx: StoreTx, ended: EndedClaim, flag: FlagWish | null): Promise<EndedClaim> {
  const { job, running } = ended;
  if (!flag || running.abort) return ended;
  const { by, reason, requestedAt, noun = DEFAULT_NOUN } = flag;
  const { wish: abort, isFirst } = await tx.wishAbort(job.pos, { by, reason, requestedAt, noun });
  // Another transaction has just recorded the request, with its audit row.
  if (!isFirst) return { job, running: { ...running, abort } };
  await tx.addAudit({
    actor: by,
    reason,
    action: `${noun}.abort`,
    target: `job:${job.id}`,
    tenant: job.tenant,
    before: { state: "running" },
    after: { state: "running", requested: true, requestedAt },
  });
  return { job, running: { ...running, abort } };
}
