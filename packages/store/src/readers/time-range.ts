import { type StepContext, shared } from "../steps/kit.ts";

const firstFrom = shared(
  "jobs-first-from",
  () => "select pos, created_at from andon_jobs where pos >= @pos order by pos limit 1",
);
const lastJob = shared("jobs-last", () => "select coalesce(max(pos), 0) as pos from andon_jobs");

/**
 * Positions grow with the time jobs are made, but processes that add at once may commit crosswise, and clocks differ:
 * the range is this much wider than was asked, and who uses it still compares the times.
 */
const CROSSWISE_MS = 60_000;

/** Positions at least `first` and below `end`. */
export interface PositionRange {
  first: number;
  end: number;
}

/** Where the jobs made from one time to another lie, found by halving: no index on the time of making is needed. */
export async function positionsBetween(
  at: StepContext,
  from: number | undefined,
  to: number | undefined,
): Promise<PositionRange> {
  const [last] = await at.session.all<{ pos: number }>(lastJob(at.dialect), {});
  const whole = { first: 0, end: (last?.pos ?? 0) + 1 };
  const first = from === undefined ? 0 : await firstMadeFrom(at, whole, from - CROSSWISE_MS);
  const end = to === undefined ? whole.end : await firstMadeFrom(at, whole, to + CROSSWISE_MS);
  return { first, end };
}

async function firstMadeFrom(at: StepContext, whole: PositionRange, time: number): Promise<number> {
  let [low, high] = [whole.first, whole.end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [job] = await at.session.all<{ pos: number; created_at: number }>(firstFrom(at.dialect), {
      pos: middle,
    });
    if (job && job.created_at < time) low = job.pos + 1;
    else high = middle;
  }
  return low;
}
