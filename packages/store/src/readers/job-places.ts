import type { JobState } from "@andon/contract";
import { alongIndex } from "../statements/along-index.ts";
import { BEHIND_ALL, CLAIM_LOG_BEFORE, NEWEST_OF_CLAIM_LOG } from "../statements/claim-log.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";

/*
 * How the jobs of a state are found without reading those of other states: in the order they will run or, with `desc`,
 * the reverse. Ended jobs are always newest first, and so are blocked ones if there are many: the oldest places in
 * lanes belong to heads, above all failed ones, which would be skipped one by one. No index has `done` jobs, because
 * each completion would pay for it; they are found through the claim log.
 */
type Placed = Exclude<JobState, "done">;

type Direction = "" | " desc";

/** The place that a lane has let through. A subquery, because a join might be planned to read all lanes each time. */
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
  // Scans the index of positions, which other queues share; a queue with few blocked jobs is read as a whole instead
  // (below).
  blocked: `select distinct m.pos from andon_lane_jobs m
where m.queue || '' = @queue and m.seq <> ${HEAD_OF_LANE}
order by m.pos${direction}`,
});
const fewBlocked = (direction: Direction) => `select m.pos + 0 as pos from andon_lane_jobs m
where m.queue = @queue and m.seq <> ${HEAD_OF_LANE}
group by m.pos + 0 order by 1${direction}`;

const endedOf = (state: Placed) =>
  `select pos from andon_ended where queue = @queue and state = '${state}' order by at desc, pos desc`;
const ended = {
  parked: endedOf("parked"),
  failed: endedOf("failed"),
  cancelled: endedOf("cancelled"),
  skipped: endedOf("skipped"),
  resolved: endedOf("resolved"),
  aborted: endedOf("aborted"),
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
  ...ended,
  blocked: waiting(" desc").blocked,
  "few-blocked": fewBlocked(""),
});
/** Ended jobs in reverse: those that ended first come first. */
const oldestEnded = statements(
  "jobs-oldest",
  Object.fromEntries(
    Object.entries(ended).map(([state, text]) => [state, text.replace("at desc, pos desc", "at, pos")]),
  ),
);
const newest = statements("jobs-newest", { ...waiting(" desc"), "few-blocked": fewBlocked(" desc") });
/** The entries that finished the jobs in question. `finished` is long, so the other entries are read without it. */
const doneEntries = shared(
  "jobs-done",
  () => `select id, done, case when newer + done > @skip then finished end as finished from (
  select id, queue, done, finished, sum(done) over (${NEWEST_OF_CLAIM_LOG}) - done as newer from (
    select id, queue, done, finished from andon_claim_log where ${CLAIM_LOG_BEFORE} and done > 0 ${NEWEST_OF_CLAIM_LOG} limit @most
  ) looked
) entries where newer < @wanted ${NEWEST_OF_CLAIM_LOG}`,
);

/** The same in reverse, for states whose lists exist in both directions. */
export async function reversedPositionsOf(
  at: StepContext,
  queue: string,
  state: JobState,
  { offset, limit }: { offset: number; limit: number },
): Promise<number[]> {
  const statement = (oldestEnded[state] ?? newest[state]) as ReturnType<typeof shared>;
  const rows = await at.session.all<{ pos: number }>(statement(at.dialect), { queue, limit, offset });
  return rows.map((row) => row.pos);
}

/** Up to this many blocked jobs, reading and sorting them costs less than skipping the jobs of other queues. */
const FEW = 1_000;

/** Positions of jobs in a state; `count` is their number by the queue's counts. */
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

interface Entry {
  id: number;
  done: number;
  finished: string | null;
}

/**
 * An entry of a busy worker ends hundreds of jobs, one of an idle worker a single job; this is a page of the latter.
 */
const FIRST_OF_CLAIM_LOG = 24;

async function donePositions(
  at: StepContext,
  queue: string,
  offset: number,
  limit: number,
): Promise<number[]> {
  const positions: number[] = [];
  let skip = offset;
  let before = BEHIND_ALL;
  for (let most = FIRST_OF_CLAIM_LOG; positions.length < limit; most *= 4) {
    const values = { queue, before, most, skip, wanted: skip + limit - positions.length };
    const entries = await at.session.all<Entry>(doneEntries(at.dialect), values);
    for (const { id, done, finished } of entries) {
      if (positions.length >= limit) break;
      const wanted = skip + limit - positions.length;
      if (finished) positions.push(...finished.split(",").reverse().slice(skip, wanted).map(Number));
      skip = Math.max(0, skip - done);
      before = id;
    }
    if (entries.length < most) break;
  }
  return positions;
}
