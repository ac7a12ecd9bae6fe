import type { JobEvent } from "../lifecycle/job-transitions.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { DuePlace, LineJob, Store, StoreTx } from "../ports/store.ts";

/** How far the steps of one pass over a queue's due jobs have come. */
export interface PromotionPass {
  readonly after: DuePlace;
  /** Lanes of jobs that were left behind: whoever comes after them in one of these lanes is left behind too. */
  readonly waiting: ReadonlySet<string>;
}

export interface PromotionStep {
  readonly promoted: number;
  /** Others hold jobs that are due, or their lanes: worth a look after a pause. */
  readonly isHeldUp: boolean;
  /** Where the next step goes on; undefined where no more was due. */
  readonly pass: PromotionPass | undefined;
}

const MOST_AT_ONCE = 500;
const OTHERS_TURN: PromotionStep = { promoted: 0, isHeldUp: true, pass: undefined };

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
    const waiting = new Set(pass?.waiting);
    const going = await withTheirLanes(tx, queue, due, waiting);
    await joinLine(tx, queue, going, "due");
    const last = due.length < most ? undefined : due.at(-1);
    // Whoever asks for the first step has seen that a job is due: somebody else has it.
    const isTaken = !pass && due.length === 0;
    return {
      promoted: going.length,
      isHeldUp: isTaken || waiting.size > 0,
      pass: last && { after: last, waiting },
    };
  });
  if (step.promoted > 0) store.signal({ kind: "work", queue });
  return step;
}

/** The jobs whose lanes could all be locked, in their order; the lanes of the others are added to `waiting`. */
async function withTheirLanes<Job extends LineJob>(
  tx: StoreTx,
  queue: string,
  jobs: readonly Job[],
  waiting: Set<string>,
): Promise<Job[]> {
  const keys = new Set(jobs.flatMap((job) => job.keys.filter((key) => !waiting.has(key))));
  const locked = await tx.tryLanes(queue, [...keys]);
  return jobs.filter((job) => {
    const isFree = job.keys.every((key) => locked.has(key) && !waiting.has(key));
    if (!isFree) for (const key of job.keys) waiting.add(key);
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
