import type { Lane } from "@andon/contract";
import { ONE_STEP } from "../operations/step-size.ts";
import type { JobRow, StoreTx } from "../ports/store.ts";

export interface LockedWaiting {
  readonly lanes: readonly Lane[];
  /** Absent where more wait than one step holds: then only the lane itself and `others` are locked. */
  readonly jobs: JobRow[] | undefined;
}

/**
 * Locks what waits in a lane of a queue that is locked, with all lanes that it stands in and those of `others`: in one go,
 * in key order, before any job. A job with yet another key came in after the decision and stays.
 */
export async function lockWaiting(
  tx: StoreTx,
  queue: string,
  key: string,
  others: readonly string[] = [],
): Promise<LockedWaiting> {
  const { lanes, keys } = await lockLanesOfWaiting(tx, queue, key, others);
  const waiting = await waitingWithin(tx, queue, key, keys);
  return { lanes, jobs: waiting && (await tx.lockJobs(waiting.map((job) => job.pos))) };
}

/** The lanes alone: for who has to lock a claim between them and the jobs. */
export async function lockLanesOfWaiting(
  tx: StoreTx,
  queue: string,
  key: string,
  others: readonly string[],
): Promise<{ lanes: Lane[]; keys: ReadonlySet<string> }> {
  const waiting = await tx.waitingInLane(queue, key, ONE_STEP + 1);
  const few = waiting.length > ONE_STEP ? [] : waiting;
  const keys = new Set([key, ...others, ...few.flatMap((job) => job.keys)]);
  return { lanes: await tx.lockLanes(queue, [...keys]), keys };
}

/** What waits in a lane and stands in no lane but these, which are locked; undefined where more wait than one step holds. */
export async function waitingWithin(
  tx: StoreTx,
  queue: string,
  key: string,
  keys: ReadonlySet<string>,
): Promise<JobRow[] | undefined> {
  const waiting = await tx.waitingInLane(queue, key, ONE_STEP + 1);
  if (waiting.length > ONE_STEP) return undefined;
  return waiting.filter((job) => job.keys.every((own) => keys.has(own)));
}
