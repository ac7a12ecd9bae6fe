import type { JobRow, LaneId, LaneJobsOptions, LaneRange, LaneState, ReadingRows } from "@andon/engine";
import { alongIndex } from "../statements/along-index.ts";
import { JOB_COLUMNS, jobRow, type RawJob } from "../statements/job-row.ts";
import { LANE_COLUMNS, type RawLane } from "../steps/lane-steps.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { withEarlier } from "./earlier-jobs.ts";
import { heldLanes } from "./held-lanes.ts";
import { jobsById } from "./job-reader.ts";
import { shownLane } from "./lane-reader.ts";

/** The number of lanes per statement: on SQLite the event loop gets a turn in between. */
const MOST_LANES = 500;

/**
 * Subqueries instead of a join: PostgreSQL could plan a join that reads all running jobs of the queue for each lane.
 */
const byKey = shared(
  "lanes-by-key",
  (d) => `select ${LANE_COLUMNS}, (
  select r.pos from andon_running r where r.queue = l.queue and r.pos = (
    select j.pos from andon_lane_jobs j where j.queue = l.queue and j.lane_key = l.lane_key and j.seq = l.head_seq
  )
) as running
from andon_lanes l where l.queue = @queue and l.lane_key ${d.among("keys", "text")}`,
);

const ENDS = { first: "", last: " desc" } as const;
const jobsFrom = (end: keyof typeof ENDS) => {
  const lane = alongIndex({ queue: "@queue", lane_key: "@key" }, ["seq"], ENDS[end]);
  return shared(
    `lane-jobs-${end}`,
    (d) => `select ${JOB_COLUMNS}, (
  select m.seq from andon_lane_jobs m where m.pos = s.pos and m.queue || '' = @queue and m.lane_key || '' = @key
) as place
from andon_job_states s
where s.pos ${d.amongRows(`select o.pos from andon_lane_jobs o where ${lane.where}
  and (@isOpenOnly = 0 or (select j.state from andon_jobs j where j.pos = o.pos) = 'open') order by ${lane.order} limit @most`)}`,
  );
};
const JOBS_FROM = { first: jobsFrom("first"), last: jobsFrom("last") } as const;
const MOST_JOBS = 10_000;

/** `+ 0` keeps PostgreSQL from scanning the index of all positions to count the distinct ones. */
const countInRange = shared(
  "lane-jobs-in-range",
  () => `select count(distinct pos + 0) as jobs from andon_lane_jobs
where queue = @queue and lane_key >= @from and lane_key < @to`,
);

/**
 * Reads of lanes and jobs for apps, over the connection or transaction of this context. `long` is for reads of up to
 * ten thousand rows.
 */
export function readingRows(at: StepContext, long = at): ReadingRows {
  return {
    lanes: (queue, ids) => lanes(at, queue, ids),
    heldLanes: (filter, page, limit) => heldLanes(long, filter, page, limit),
    jobsOfLane: (queue, lane, options) => jobsOfLane(long, queue, lane, options),
    jobs: (ids) => jobsById(at, ids, {}),
    countInLanes: (queue, range) => countInLanes(at, queue, range),
    withEarlier: (queue, questions) => withEarlier(at, queue, questions),
  };
}

async function lanes(at: StepContext, queue: string, ids: readonly LaneId[]): Promise<LaneState[]> {
  const found: LaneState[] = [];
  for (let from = 0; from < ids.length; from += MOST_LANES) {
    const values = { queue, keys: at.dialect.array(ids.slice(from, from + MOST_LANES)) };
    const rows = await at.session.all<RawLane & { running: number | null }>(byKey(at.dialect), values);
    for (const raw of rows) found.push({ ...shownLane(raw), isRunning: raw.running !== null });
  }
  return found;
}

async function jobsOfLane(
  at: StepContext,
  queue: string,
  lane: LaneId,
  { end = "first", onlyOpen = false, limit = MOST_JOBS }: LaneJobsOptions,
): Promise<JobRow[]> {
  const values = { queue, key: lane, isOpenOnly: onlyOpen ? 1 : 0, most: limit };
  const rows = await at.session.all<RawJob & { place: number }>(JOBS_FROM[end](at.dialect), values);
  return rows.sort((a, b) => a.place - b.place).map(jobRow);
}

async function countInLanes(at: StepContext, queue: string, range: LaneRange): Promise<number> {
  const { from, to } = range;
  const [found] = await at.session.all<{ jobs: number }>(countInRange(at.dialect), { queue, from, to });
  return found?.jobs ?? 0;
}
