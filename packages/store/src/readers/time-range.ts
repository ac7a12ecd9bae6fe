import { type StepContext, shared } from "../steps/statement-registry.ts";

const lastJob = shared("jobs-last", () => "select coalesce(max(pos), 0) as pos from andon_jobs");
/** The first job from the middle on. A subquery, because a join might be planned to read all jobs each time. */
const MIDDLE_JOB = (column: string) =>
  `(select m.${column} from andon_jobs m where m.pos >= (h.low + h.high) / 2 order by m.pos limit 1)`;
const [MIDDLE_POS, MIDDLE_MADE] = [MIDDLE_JOB("pos"), MIDDLE_JOB("created_at")];
/** Bisection in one statement: twenty round trips among a million jobs would be most of a search's time. */
const firstMadeFrom = shared(
  "jobs-first-made-from",
  () => `with recursive halves(low, high) as (
  select cast(0 as bigint), cast(@end as bigint)
  union all
  select case when ${MIDDLE_MADE} < @time then ${MIDDLE_POS} + 1 else h.low end,
    case when ${MIDDLE_MADE} < @time then h.high else (h.low + h.high) / 2 end
  from halves h
  where h.low < h.high and ${MIDDLE_POS} is not null
)
select max(low) as pos from halves`,
);

/**
 * Positions grow with the creation time of jobs, but concurrent processes may commit in another order, and clocks
 * differ. So this much around the range is searched too, after the range itself, and callers still compare the times.
 */
const CROSSWISE_MS = 60_000;

/** Positions from `first` up to, but not including, `end`. */
export interface Stretch {
  first: number;
  end: number;
}

export interface PositionRange {
  inside: Stretch;
  /** The stretches just before and after it. */
  around: readonly Stretch[];
}

/** The positions of jobs created between two times, found by bisection: no index on the creation time is needed. */
export async function positionsBetween(
  at: StepContext,
  from: number | undefined,
  to: number | undefined,
): Promise<PositionRange> {
  const [last] = await at.session.all<{ pos: number }>(lastJob(at.dialect), {});
  const end = (last?.pos ?? 0) + 1;
  const madeFrom = async (time: number) =>
    (await at.session.all<{ pos: number }>(firstMadeFrom(at.dialect), { end, time }))[0]?.pos ?? 0;
  const whole = { first: 0, end };
  if (from === undefined && to === undefined) return { inside: whole, around: [] };
  const [early, first, late, behind] = await Promise.all([
    from === undefined ? 0 : madeFrom(from - CROSSWISE_MS),
    from === undefined ? 0 : madeFrom(from),
    to === undefined ? end : madeFrom(to),
    to === undefined ? end : madeFrom(to + CROSSWISE_MS),
  ]);
  const around = [
    { first: late, end: behind },
    { first: early, end: first },
  ];
  return { inside: { first, end: late }, around: around.filter((one) => one.first < one.end) };
}

/** Reads the range, and then what is around it. */
export async function readRange(
  { inside, around }: PositionRange,
  most: number,
  read: (stretch: Stretch, most: number) => Promise<number[]>,
): Promise<number[]> {
  const found = await read(inside, most);
  for (const stretch of around)
    if (found.length < most) found.push(...(await read(stretch, most - found.length)));
  return found;
}
