import { AndonError, type Decision, type JobState } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { JobRow, Store } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { type AuditNoun, DEFAULT_NOUN } from "./abort.ts";
import { findJob } from "./find-job.ts";
import { passProbeOn } from "./probe.ts";
import { releaseFailureHolds } from "./retry.ts";
import { reasonOf } from "./skip.ts";

/**
 * Ended and failed jobs. A waiting job is deleted only with the option `waiting`; a running job must be cancelled
 * first.
 */
const DELETABLE: readonly JobState[] = ["done", "failed", "cancelled", "skipped", "resolved", "aborted"];
const WAITING: readonly JobState[] = ["scheduled", "blocked", "ready", "parked"];

export interface DeleteOptions extends AuditNoun {
  /** Whether a job that waits is deleted too: it leaves its place first. Default: false. */
  waiting?: boolean | undefined;
  /** Whether the decision must have a reason. Default: true. */
  needsReason?: boolean | undefined;
}

/**
 * Deletes one ended job for good: its row, attempts, idempotency key and rows of the feed. Only the audit row is left,
 * which has the actor and the reason but no data of the job. A failed job leaves its lanes first.
 */
export async function deleteJob(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
  { noun = DEFAULT_NOUN, waiting = false, needsReason = true }: DeleteOptions = {},
): Promise<void> {
  const reason = needsReason ? reasonOf(decision) : decision.reason?.trim() || null;
  const deletable = waiting ? [...DELETABLE, ...WAITING] : DELETABLE;
  await store.transaction("delete-job", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    const row = await tx.lockQueue(queue.name, "exclusive");
    await tx.lockLanes(queue.name, lanesOf(found));
    const [job] = await tx.lockJobs([found.pos]);
    if (!job || !deletable.includes(job.state))
      throw new AndonError("JOB_STATE", {
        job: jobId,
        state: job?.state,
        event: "delete",
        allowed: deletable.join(", "),
      });
    await runHook(queue, "deleted", [job], tx);
    if (job.state === "failed") {
      await releaseFailureHolds(tx, queue.name, [job]);
      await tx.leaveLanes(queue.name, [job.pos]);
    }
    const isWaiting = WAITING.includes(job.state);
    if (isWaiting) {
      await moveJobs(tx, [job], "cancel", { to: "cancelled", at: tx.now() });
      await passProbeOn(tx, row, job.id);
    }
    const gone: JobRow = isWaiting ? { ...job, state: "cancelled" } : job;
    await tx.deleteJobs(queue.name, [gone]);
    if (job.state === "failed") await queue.hooks.failuresSettled?.([job], tx);
    await tx.addAudit({
      actor: decision.actor,
      reason,
      action: `${noun}.delete`,
      target: `job:${job.id}`,
      tenant: job.tenant,
      organization: job.organization,
      before: { queue: queue.name, name: job.name, state: job.state },
      after: null,
    });
  });
  store.signal({ kind: "work", queue: queue.name });
}
