import type { JobState } from "@andon/contract";
import type { EndedPlace, PlannedJob } from "@andon/engine";
import { alongIndex } from "../statements/along-index.ts";
import { keysOf } from "../statements/job-row.ts";
import { type StepContext, shared } from "../steps/kit.ts";

/** What decisions over many jobs freeze: positions along an index, and of each job no more than tells whether it changed. */

const LAST = alongIndex({ queue: "@queue", state: "@state" }, ["at", "pos"], " desc");
const lastEnded = shared(
  "ended-last",
  () => `select at, pos from andon_aside where ${LAST.where} order by ${LAST.order} limit 1`,
);
const ended = shared(
  "ended-between",
  () => `select at, pos from andon_aside
where (queue, state, at, pos) > (@queue, @state, @afterAt, @afterPos) and (queue, state, at, pos) <= (@queue, @state, @at, @pos)
order by queue, state, at, pos limit @most`,
);
const waitingIn = shared(
  "lane-waiting-positions",
  () => `select m.seq, m.pos
from andon_lane_jobs m join andon_job_states s on s.pos = m.pos
where m.queue = @queue and m.lane_key = @key and m.seq > @after and s.job_state in ('ready', 'blocked', 'scheduled')
order by m.seq limit @most`,
);
const planned = shared(
  "jobs-planned",
  (
    d,
  ) => `select s.pos, s.id, s.ticket, s.job_state, s.attempts, coalesce(s.running_fence, s.fence) as fence, s.lane_keys
from andon_job_states s where s.pos ${d.among("positions", "bigint")}`,
);

const AT_ONCE = 5_000;

/** Where the list of ended jobs of a state ends now; undefined where it is empty. */
export async function lastEndedPlace(
  at: StepContext,
  queue: string,
  state: JobState,
): Promise<EndedPlace | undefined> {
  return (await at.session.all<EndedPlace>(lastEnded(at.dialect), { queue, state }))[0];
}

/** Jobs that stand in a state, as far as a place in their list, batch by batch. */
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

/** Jobs that wait in a lane, in order, batch by batch. */
export async function* waitingPositions(
  at: StepContext,
  queue: string,
  key: string,
): AsyncGenerator<number[], void> {
  let after = 0;
  for (;;) {
    const values = { queue, key, after, most: AT_ONCE };
    const batch = await at.session.all<{ seq: number; pos: number }>(waitingIn(at.dialect), values);
    const last = batch.at(-1);
    if (!last) return;
    after = last.seq;
    yield batch.map(({ pos }) => pos);
    await new Promise((resolve) => setImmediate(resolve));
  }
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
      keys: keysOf(lane_keys),
    }))
    .sort((a, b) => a.pos - b.pos);
}
