import { moveJobs } from "../lifecycle/move.ts";
import type { JobRow, Store, StoreTx } from "../ports/store.ts";

const MOST_AT_ONCE = 500;

/** Puts jobs whose time or back-off is over in line. Returns how many, so that the caller can come back for more. */
export async function promote(store: Store, queue: string): Promise<number> {
  const promoted = await store.transaction("promote", async (tx) => {
    await tx.lockQueue(queue, "share");
    const due = await tx.dueTimers(queue, tx.now(), MOST_AT_ONCE);
    const jobs = await tx.jobs(due.map((timer) => timer.pos));
    const inOrder = new Map(jobs.map((job) => [job.pos, job]));
    await joinLine(
      tx,
      queue,
      due.flatMap((timer) => inOrder.get(timer.pos) ?? []),
      "due",
    );
    return due.length;
  });
  if (promoted > 0) store.signal({ kind: "work", queue });
  return promoted;
}

/** Jobs that were to run later join their lanes now, behind whoever came before; jobs in back-off have their places. */
export async function joinLine(
  tx: StoreTx,
  queue: string,
  jobs: readonly JobRow[],
  event: "due" | "runNow",
): Promise<void> {
  // Lanes to join and lanes they are in already, all in one go and so in key order.
  await tx.ensureLanes(queue, [...new Set(jobs.flatMap((job) => job.keys))]);
  const placed = await tx.inLanes(jobs.map((job) => job.pos));
  await tx.joinLanes(
    queue,
    jobs.filter((job) => job.keys.length > 0 && !placed.has(job.pos)),
  );
  await moveJobs(tx, jobs, event, { to: "line" });
}
