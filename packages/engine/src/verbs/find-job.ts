import { AndonError, type Decision } from "@andon/contract";
import type { JobRow, StoreTx } from "../ports/store.ts";

/**
 * The job with this id in this queue, if it is in the decision's scope; before any lock, so only what never changes in
 * it may be used (pos, keys).
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
