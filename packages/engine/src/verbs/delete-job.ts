import { AndonError, type Decision, type JobState } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { findJob } from "./find-job.ts";
import { reasonOf } from "./resolve.ts";
import { releaseFailureHolds } from "./retry.ts";

/** Nothing waits for these, and nothing runs them. A job that waits or runs is cancelled first. */
const DELETABLE: readonly JobState[] = ["done", "failed", "cancelled", "skipped", "resolved", "aborted"];

/**
 * Deletes one ended job for good: its row, attempts, idempotency key and rows of the feed. What is left is the audit row,
 * which says who did it and why, and nothing of what the job carried. A failed job leaves its lanes first.
 */
export async function deleteJob(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
): Promise<void> {
  const reason = reasonOf(decision);
  await store.transaction("delete-job", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    await tx.lockQueue(queue.name, "exclusive");
    await tx.lockLanes(queue.name, found.keys);
    const [job] = await tx.lockJobs([found.pos]);
    if (!job || !DELETABLE.includes(job.state))
      throw new AndonError("JOB_STATE", {
        job: jobId,
        state: job?.state,
        event: "delete",
        allowed: DELETABLE.join(", "),
      });
    await runHook(queue, "deleted", [job], tx);
    if (job.state === "failed") {
      await releaseFailureHolds(tx, queue.name, [job]);
      await tx.leaveLanes(queue.name, [job.pos]);
    }
    await tx.deleteJobs(queue.name, [job]);
    await tx.addAudit({
      actor: decision.actor,
      reason,
      action: "job.delete",
      target: `job:${job.id}`,
      tenant: job.tenant,
      before: { queue: queue.name, name: job.name, state: job.state },
      after: null,
    });
  });
  store.signal({ kind: "work", queue: queue.name });
}
