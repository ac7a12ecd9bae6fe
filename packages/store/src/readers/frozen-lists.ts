import type { JobState } from "@andon/contract";
import type { EndedPlace, LaneId, PlannedJob } from "@andon/engine";
import { alongIndex } from "../statements/along-index.ts";
import { lanesIn } from "../statements/job-row.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";

/** What decisions over many jobs freeze: positions along an index, and per job only what shows whether it changed. */

const LAST = alongIndex({ queue: "@queue", state: "@state" }, ["at", "pos"], " desc");
const lastEnded = shared(
  "ended-last",
  () => `select at, pos from andon_ended where ${LAST.where} order by ${LAST.order} limit 1`,
);
const ended = shared(
  "ended-between",
  () => `select at, pos from andon_ended
where (queue, state, at, pos) > (@queue, @state, @afterAt, @afterPos) and (queue, state, at, pos) <= (@queue, @state, @at, @pos)
order by queue, state, at, pos limit @most`,
);
const inLane = shared(
  "lane-positions",
  () => `select seq, pos from andon_lane_jobs
where queue = @queue and lane_key = @key and seq > @after order by seq limit @most`,
);
/** A job's state by subqueries: with joins PostgreSQL may read the whole line for each job. */
const planned = shared(
  "jobs-planned",
  (d) => `select p.pos, p.id, p.ticket, p.attempts, p.lane_keys, coalesce(p.running_fence, p.fence) as fence,
  case
    when p.state <> 'open' then p.state
    when p.running_fence is not null then 'running'
    when p.timer is not null then 'scheduled'
    when p.in_line is not null then 'ready'
    else 'blocked'
  end as job_state
from (
  select j.pos, j.id, j.ticket, j.attempts, j.lane_keys, j.fence, j.state,
    (select r.fence from andon_running r where r.queue = j.queue and r.pos = j.pos) as running_fence,
    (select t.pos from andon_timers t where t.pos = j.pos) as timer,
    (select w.pos from andon_ready w where w.queue = j.queue and w.rank = j.rank and w.pos = j.pos) as in_line
  from andon_jobs j where j.pos ${d.among("positions", "bigint")}
) p`,
);
/**
 * The caller leaves out jobs without lanes: with a condition for that, the planner may read the whole index of first
 * keys.
 */
const lanesOf = shared(
  "jobs-lane-keys",
  (d) => `select distinct lane_keys from andon_jobs where pos ${d.among("positions", "bigint")}`,
);

const WAITING: readonly JobState[] = ["ready", "blocked", "scheduled"];
const AT_ONCE = 2_000;

/** The current end of the list of ended jobs in a state; undefined if it is empty. */
export async function lastEndedPlace(
  at: StepContext,
  queue: string,
  state: JobState,
): Promise<EndedPlace | undefined> {
  return (await at.session.all<EndedPlace>(lastEnded(at.dialect), { queue, state }))[0];
}

/** Jobs in a state up to a place in their list, in batches. */
export async function* endedPositions(
  at: StepContext,
  queue: string,
  state: JobState,
  upTo: EndedPlace,
): AsyncGenerator<number[], void> {
  let [afterAt, afterPos] = [0, 0];
  for (;;) {
    const values = { queue, state, afterAt, afterPos, at: upTo.at, pos: upTo.pos, most: AT_ONCE };
    const batch = await at.session.all<EndedPlace>(ended(at.dialect), values);
    const last = batch.at(-1);
    if (!last) return;
    [afterAt, afterPos] = [last.at, last.pos];
    yield batch.map(({ pos }) => pos);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Jobs that wait in a lane, in order, in batches. */
export async function* waitingPositions(
  at: StepContext,
  queue: string,
  lane: LaneId,
): AsyncGenerator<number[], void> {
  let after = 0;
  for (;;) {
    const values = { queue, key: lane, after, most: AT_ONCE };
    const batch = await at.session.all<{ seq: number; pos: number }>(inLane(at.dialect), values);
    const last = batch.at(-1);
    if (!last) return;
    after = last.seq;
    const jobs = await plannedJobs(
      at,
      batch.map(({ pos }) => pos),
    );
    yield jobs.filter(({ state }) => WAITING.includes(state)).map(({ pos }) => pos);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The first jobs of a lane in order, in any state. */
export async function frontOfLane(
  at: StepContext,
  queue: string,
  lane: LaneId,
  most: number,
): Promise<PlannedJob[]> {
  const places = await at.session.all<{ pos: number }>(inLane(at.dialect), {
    queue,
    key: lane,
    after: 0,
    most,
  });
  const positions = places.map(({ pos }) => pos);
  const jobs = new Map((await plannedJobs(at, positions)).map((job) => [job.pos, job]));
  return positions.flatMap((pos) => jobs.get(pos) ?? []);
}

export async function plannedJobs(at: StepContext, positions: readonly number[]): Promise<PlannedJob[]> {
  if (positions.length === 0) return [];
  const rows = await at.session.all<{
    pos: number;
    id: string;
    ticket: number | null;
    job_state: JobState;
    attempts: number;
    fence: number;
    lane_keys: string | null;
  }>(planned(at.dialect), { positions: at.dialect.array(positions) });
  return rows
    .map(({ ticket, job_state: state, lane_keys, ...plain }) => ({
      ...plain,
      ticket: String(ticket ?? plain.pos),
      state,
      lanes: lanesIn(lane_keys),
    }))
    .sort((a, b) => a.pos - b.pos);
}

/** The lanes that these jobs were added to; a job's lanes never change. */
export async function laneIdsOf(at: StepContext, positions: readonly number[]): Promise<LaneId[]> {
  const rows = await at.session.all<{ lane_keys: string | null }>(lanesOf(at.dialect), {
    positions: at.dialect.array(positions),
  });
  return [...new Set(rows.flatMap((row) => lanesIn(row.lane_keys)))];
}
