import type { Lane } from "@andon/contract";
import type { JobRow, StoreTx } from "../ports/store.ts";

/**
 * Locks what waits in a lane of a queue that is locked, with all lanes that it stands in and those of `others`: in one go,
 * in key order. A job with yet another key came in after the decision and stays.
 */
export async function lockWaiting(
  tx: StoreTx,
  queue: string,
  key: string,
  others: readonly string[] = [],
): Promise<{ lanes: Lane[]; jobs: JobRow[] }> {
  const keys = new Set([key, ...others, ...(await tx.waitingInLane(queue, key)).flatMap((job) => job.keys)]);
  const lanes = await tx.lockLanes(queue, [...keys]);
  const waiting = (await tx.waitingInLane(queue, key)).filter((job) =>
    job.keys.every((own) => keys.has(own)),
  );
  return { lanes, jobs: await tx.lockJobs(waiting.map((job) => job.pos)) };
}
