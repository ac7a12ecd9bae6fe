import { type StepContext, shared } from "../steps/statement-registry.ts";

const lastJob = shared("jobs-last", () => "select coalesce(max(pos), 0) as pos from andon_jobs");
/** The first job from the middle on. Looked up, not joined: a join might be planned to read all jobs each time. */
const MIDDLE_JOB = (column: string) =>
  `(select m.${column} from andon_jobs m where m.pos >= (h.low + h.high) / 2 order by m.pos limit 1)`;
const [MIDDLE_POS, MIDDLE_MADE] = [MIDDLE_JOB("pos"), MIDDLE_JOB("created_at")];
/** Halving in one statement: twenty round trips among a million jobs would be most of a search's time. */
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
 * Positions grow with the time jobs are made, but processes that add at once may commit crosswise, and clocks differ:
 * this much around the range is looked at too, after the range itself, and who uses it still compares the times.
 */
const CROSSWISE_MS = 60_000;

/** Positions at least `first` and below `end`. */
export interface Stretch {
  first: number;
  end: number;
}

export interface PositionRange {
  inside: Stretch;
  /** What lies before and behind it. */
  around: readonly Stretch[];
}

/** Where the jobs made from one time to another lie, found by halving: no index on the time of making is needed. */
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

/** What is read of the range, and then of what is around it. */
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
