import { type LaneId, lanesOf } from "../lanes/lane-id.ts";
import type { JobEvent } from "../lifecycle/job-transitions.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { DueJob, DuePlace, LineJob, Store, StoreTx } from "../ports/store.ts";

/** The progress of one pass over a queue's due jobs. */
export interface PromotionPass {
  readonly after: DuePlace;
  /** Lanes of jobs that were left: later jobs in one of these lanes are left too. */
  readonly waiting: ReadonlySet<LaneId>;
}

export interface PromotionStep {
  readonly promoted: number;
  /** Other transactions have locked jobs that are due, or their lanes: worth another try after a pause. */
  readonly isHeldUp: boolean;
  /** Parked jobs whose event did not arrive in time: they have to fail by the rules of their queue. */
  readonly expired: readonly number[];
  /** Where the next step continues; undefined if no more jobs were due. */
  readonly pass: PromotionPass | undefined;
}

const MOST_AT_ONCE = 500;
const OTHERS_TURN: PromotionStep = { promoted: 0, isHeldUp: true, expired: [], pass: undefined };

/**
 * Puts at most `most` jobs in line whose time has come or whose back-off is over. It waits for no other lock under the
 * queue's lock: a job whose lane another transaction has locked is left for the next pass, with all due jobs behind it
 * in its lanes.
 */
export async function promote(
  store: Store,
  queue: string,
  most = MOST_AT_ONCE,
  pass?: PromotionPass,
): Promise<PromotionStep> {
  const step = await store.transaction("promote", async (tx) => {
    await tx.lockQueue(queue, "share");
    if (!(await tx.tryPromotion(queue))) return OTHERS_TURN;
    const due = await tx.dueJobs(queue, tx.now(), most, pass?.after);
    const waiting = new Set<LaneId>(pass?.waiting);
    const going = await withTheirLanes(tx, queue, due, waiting);
    const parked = going.filter((job) => job.kind === "park");
    await joinLine(
      tx,
      queue,
      going.filter((job) => job.kind !== "park"),
      "due",
    );
    const expired = await letArrivedIn(tx, queue, parked);
    const last = due.length < most ? undefined : due.at(-1);
    // The first step is called only when a job is due, so another transaction has locked that job.
    const isTaken = !pass && due.length === 0;
    return {
      promoted: going.length - expired.length,
      expired,
      isHeldUp: isTaken || waiting.size > 0,
      pass: last && { after: last, waiting },
    };
  });
  if (step.promoted > 0) store.signal({ kind: "work", queue });
  return step;
}

/** Puts parked jobs in line whose event has arrived; returns the others. */
async function letArrivedIn(tx: StoreTx, queue: string, parked: readonly DueJob[]): Promise<number[]> {
  const arrived = await tx.arrivals(parked.flatMap((job) => job.awaits ?? []));
  const expired: number[] = [];
  for (const job of await tx.jobs(parked.map(({ pos }) => pos))) {
    const event = job.awaits?.event ?? "";
    const arrival = arrived.get(event);
    if (!arrival) {
      expired.push(job.pos);
      continue;
    }
    const arrivals = JSON.stringify({ ...job.arrivals, [event]: arrival });
    await moveJobs(tx, [job], "arrive", { to: "line" }, { awaits: null, arrivals });
    tx.event("job.arrived", queue, job.id, { event });
  }
  return expired;
}

/** The jobs whose lanes could all be locked, in their order; the lanes of the others are added to `waiting`. */
async function withTheirLanes<Job extends LineJob>(
  tx: StoreTx,
  queue: string,
  jobs: readonly Job[],
  waiting: Set<LaneId>,
): Promise<Job[]> {
  const lanes = new Set(jobs.flatMap((job) => lanesOf(job).filter((lane) => !waiting.has(lane))));
  const locked = await tx.tryLanes(queue, [...lanes]);
  return jobs.filter((job) => {
    const isFree = lanesOf(job).every((lane) => locked.has(lane) && !waiting.has(lane));
    if (!isFree) for (const lane of lanesOf(job)) waiting.add(lane);
    return isFree;
  });
}

/**
 * Jobs with a later time join their lanes now, behind the jobs that are there; jobs in back-off have kept their places.
 * The caller has locked their lanes.
 */
export async function joinLine(
  tx: StoreTx,
  queue: string,
  jobs: readonly LineJob[],
  event: Extract<JobEvent, "due" | "runNow">,
): Promise<void> {
  const keyed = jobs.filter((job) => job.keys.length > 0);
  const placed = await tx.inLanes(keyed.map((job) => job.pos));
  await tx.joinLanes(
    queue,
    keyed.filter((job) => !placed.has(job.pos)),
  );
  await moveJobs(tx, jobs, event, { to: "line" });
}
