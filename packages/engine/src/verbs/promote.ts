import { type LaneId, lanesOf } from "../lanes/lane-id.ts";
import type { JobEvent } from "../lifecycle/job-transitions.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { DueJob, DuePlace, LineJob, Store, StoreTx } from "../ports/store.ts";

/** How far the steps of one pass over a queue's due jobs have come. */
export interface PromotionPass {
  readonly after: DuePlace;
  /** Lanes of jobs that were left behind: whoever comes after them in one of these lanes is left behind too. */
  readonly waiting: ReadonlySet<LaneId>;
}

export interface PromotionStep {
  readonly promoted: number;
  /** Others hold jobs that are due, or their lanes: worth a look after a pause. */
  readonly isHeldUp: boolean;
  /** Parked jobs whose time is over, for nothing came: they are to fail, by the rules of their queue. */
  readonly expired: readonly number[];
  /** Where the next step goes on; undefined where no more was due. */
  readonly pass: PromotionPass | undefined;
}

const MOST_AT_ONCE = 500;
const OTHERS_TURN: PromotionStep = { promoted: 0, isHeldUp: true, expired: [], pass: undefined };

/**
 * Puts jobs whose time or back-off is over in line, at most so many. Nobody is waited for under the queue's lock: a job
 * of a lane that somebody else has locked is left for the next pass, and with it all that are due behind it in its lanes.
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
    // Whoever asks for the first step has seen that a job is due: somebody else has it.
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

/** Puts parked jobs in line for whom something has come; returns the others. */
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
 * Jobs that were to run later join their lanes now, behind whoever came before; jobs in back-off have their places. Their
 * lanes are locked.
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
