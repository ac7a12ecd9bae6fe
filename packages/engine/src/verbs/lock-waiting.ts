import { type LaneId, lanesOf } from "../lanes/lane-id.ts";
import { ONE_STEP } from "../operations/step-size.ts";
import type { JobRow, LaneRow, StoreTx } from "../ports/store.ts";

export interface LockedWaiting {
  readonly lanes: readonly LaneRow[];
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
  lane: LaneId,
  others: readonly LaneId[] = [],
): Promise<LockedWaiting> {
  const { lanes, locked } = await lockLanesOfWaiting(tx, queue, lane, others);
  const waiting = await waitingWithin(tx, queue, lane, locked);
  return { lanes, jobs: waiting && (await tx.lockJobs(waiting.map((job) => job.pos))) };
}

/** The lanes alone: for who has to lock a claim between them and the jobs. */
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

/** What waits in a lane and stands in no lane but these, which are locked; undefined where more wait than one step holds. */
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
