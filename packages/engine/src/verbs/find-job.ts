import { AndonError } from "@andon/contract";
import type { JobRow, StoreTx } from "../ports/store.ts";

/** The job with this id in this queue; before any lock, so only what never changes in it may be used (pos, keys). */
export async function findJob(tx: StoreTx, queue: string, jobId: string): Promise<JobRow> {
  const job = await tx.job({ id: jobId });
  if (!job || job.queue !== queue) throw new AndonError("JOB_NOT_FOUND", { job: jobId });
  return job;
}
