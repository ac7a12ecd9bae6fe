import { AndonError, type Decision } from "@andon/contract";
import type { JobRow, StoreTx } from "../ports/store.ts";

/**
 * The job with this id in this queue, if it is in the decision's scope. It is read before any lock, so only members
 * that never change (pos, keys) are reliable.
 */
export async function findJob(
  tx: StoreTx,
  queue: string,
  jobId: string,
  { tenant, organization }: Decision,
): Promise<JobRow> {
  const job = await tx.job({ id: jobId }, { tenant, organization });
  if (!job || job.queue !== queue) throw new AndonError("JOB_NOT_FOUND", { job: jobId });
  return job;
}
