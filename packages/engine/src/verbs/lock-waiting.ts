import { type LaneId, lanesOf } from "../lanes/lane-id.ts";
import { ONE_STEP } from "../operations/step-size.ts";
import type { JobRow, LaneRow, StoreTx } from "../ports/store.ts";

export interface LockedWaiting {
  readonly lanes: readonly LaneRow[];
  /** Absent if more jobs wait than one step holds: then only the lane itself and `others` are locked. */
  readonly jobs: JobRow[] | undefined;
}

/**
 * Locks the jobs that wait in a lane. All their lanes and `others` are locked first, in one call and in key order; the
 * queue is locked already. A job with a lane that is not locked was added after the decision, and stays.
 */
export async function lockWaiting(
  tx: StoreTx,
  queue: string,
  lane: LaneId,
  others: readonly LaneId[] = [],
): Promise<LockedWaiting> {
  const { lanes, locked } = await lockLanesOfWaiting(tx, queue, lane, others);
  const waiting = await waitingWithin(tx, queue, lane, locked);
  return { lanes, jobs: waiting && (await tx.lockJobs(waiting.map((job) => job.pos))) };
}

/** Locks only the lanes, for callers that lock a claim between the lanes and the jobs. */
export async function lockLanesOfWaiting(
  tx: StoreTx,
  queue: string,
  lane: LaneId,
  others: readonly LaneId[],
): Promise<{ lanes: LaneRow[]; locked: ReadonlySet<LaneId> }> {
  const waiting = await tx.waitingInLane(queue, lane, ONE_STEP + 1);
  const few = waiting.length > ONE_STEP ? [] : waiting;
  const locked = new Set([lane, ...others, ...few.flatMap(lanesOf)]);
  return { lanes: await tx.lockLanes(queue, [...locked]), locked };
}

/**
 * The jobs that wait in a lane and are in no lanes but the locked ones; undefined if more jobs wait than one step
 * holds.
 */
export async function waitingWithin(
  tx: StoreTx,
  queue: string,
  lane: LaneId,
  locked: ReadonlySet<LaneId>,
): Promise<JobRow[] | undefined> {
  const waiting = await tx.waitingInLane(queue, lane, ONE_STEP + 1);
  if (waiting.length > ONE_STEP) return undefined;
  return waiting.filter((job) => lanesOf(job).every((own) => locked.has(own)));
}
