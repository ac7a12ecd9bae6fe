import type { JobState } from "@andon/contract";
import { alongIndex } from "../statements/along-index.ts";
import { BEHIND_ALL, NEWEST_TURNS, TURNS_BEFORE } from "../statements/turns.ts";
import { type StepContext, shared } from "../steps/kit.ts";

/*
 * Where the jobs of a state are found without reading those of other states, in the order they will run or, with
 * `desc`, the other way round; ended ones newest first either way, and blocked ones where they are many: the oldest
 * places in lanes are those of heads, failed ones above all, which would be passed by one after the other. No index
 * holds `done` jobs, or each completion would pay for it: they are found through the ledger of turns.
 */
type Placed = Exclude<JobState, "done">;

type Direction = "" | " desc";

/** Whom the lane of a place has let through. Looked up, not joined: a join might be planned to read all lanes each time. */
export const HEAD_OF_LANE =
  "(select l.head_seq from andon_lanes l where l.queue = m.queue and l.lane_key = m.lane_key)";

const timersOf = (kind: "later" | "backoff", direction: Direction) => {
  const { where, order } = alongIndex({ queue: "@queue", kind: `'${kind}'` }, ["due_at"], direction);
  return `select pos, due_at from andon_timers where ${where} order by ${order} limit @most`;
};

const waiting = (direction: Direction) => ({
  scheduled: `select pos from (
  select * from (
    ${timersOf("later", direction)}
  ) l
  union all
  select * from (
    ${timersOf("backoff", direction)}
  ) b
) t order by due_at${direction}, pos${direction}`,
  ready: `select pos from andon_ready where queue = @queue order by rank${direction}, pos${direction}`,
  running: `select pos from andon_running where queue = @queue order by pos${direction}`,
  // Along the index of positions, which other queues share: so a queue with few is read whole (below).
  blocked: `select distinct m.pos from andon_lane_jobs m
where m.queue || '' = @queue and m.seq <> ${HEAD_OF_LANE}
order by m.pos${direction}`,
});
const fewBlocked = (direction: Direction) => `select m.pos + 0 as pos from andon_lane_jobs m
where m.queue = @queue and m.seq <> ${HEAD_OF_LANE}
group by m.pos + 0 order by 1${direction}`;

const asideOf = (state: Placed) =>
  `select pos from andon_aside where queue = @queue and state = '${state}' order by at desc, pos desc`;
const aside = {
  parked: asideOf("parked"),
  failed: asideOf("failed"),
  cancelled: asideOf("cancelled"),
  skipped: asideOf("skipped"),
  resolved: asideOf("resolved"),
  aborted: asideOf("aborted"),
};

const statements = (prefix: string, places: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(places).map(([state, text]) => [
      state,
      shared(`${prefix}-${state}`, () => `${text} limit @limit offset @offset`),
    ]),
  );
const inOrder = statements("jobs", {
  ...waiting(""),
  ...aside,
  blocked: waiting(" desc").blocked,
  "few-blocked": fewBlocked(""),
});
const newest = statements("jobs-newest", { ...waiting(" desc"), "few-blocked": fewBlocked(" desc") });
/** Of the turns that are looked at, what those finished that have the jobs in question: it is long, and not read of the others. */
const doneTurns = shared(
  "jobs-done",
  () => `select id, done, case when newer + done > @skip then finished end as finished from (
  select id, queue, done, finished, sum(done) over (${NEWEST_TURNS}) - done as newer from (
    select id, queue, done, finished from andon_turns where ${TURNS_BEFORE} and done > 0 ${NEWEST_TURNS} limit @most
  ) looked
) turns where newer < @wanted ${NEWEST_TURNS}`,
);

/** So many blocked jobs are read and put in order sooner than the jobs of other queues are passed by. */
const FEW = 1_000;

/** Positions of jobs in a state; `count` is how many there are by the queue's counts. */
export async function positionsOf(
  at: StepContext,
  queue: string,
  state: JobState,
  count: number,
  { offset, limit, newestFirst = false }: { offset: number; limit: number; newestFirst?: boolean },
): Promise<number[]> {
  if (state === "done") return donePositions(at, queue, offset, limit);
  const place = state === "blocked" && count <= FEW ? "few-blocked" : state;
  const statement = (newestFirst ? newest[place] : undefined) ?? inOrder[place];
  const values = { queue, limit, offset, most: offset + limit };
  const rows = await at.session.all<{ pos: number }>(
    (statement as ReturnType<typeof shared>)(at.dialect),
    values,
  );
  return rows.map((row) => row.pos);
}

interface Turn {
  id: number;
  done: number;
  finished: string | null;
}

/** A turn of a busy worker ends hundreds of jobs, one of an idle worker a single job, of which this is a page. */
const FIRST_TURNS = 24;

async function donePositions(
  at: StepContext,
  queue: string,
  offset: number,
  limit: number,
): Promise<number[]> {
  const positions: number[] = [];
  let skip = offset;
  let before = BEHIND_ALL;
  for (let most = FIRST_TURNS; positions.length < limit; most *= 4) {
    const values = { queue, before, most, skip, wanted: skip + limit - positions.length };
    const turns = await at.session.all<Turn>(doneTurns(at.dialect), values);
    for (const { id, done, finished } of turns) {
      if (positions.length >= limit) break;
      const wanted = skip + limit - positions.length;
      if (finished) positions.push(...finished.split(",").reverse().slice(skip, wanted).map(Number));
      skip = Math.max(0, skip - done);
      before = id;
    }
    if (turns.length < most) break;
  }
  return positions;
}
