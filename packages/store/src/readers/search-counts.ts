import { JOB_STATES, type JobCounts, type JobState } from "@andon/contract";
import type { BoundedCounts, JobFilter } from "@andon/engine";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { MOST_COUNTED, MOST_LOOKED_AT } from "./bounds.ts";
import { type Found, find, isAnswered, isKept, searchOf } from "./search.ts";
import { type Search, storedIn } from "./search-rules.ts";
import { statesOf } from "./search-sources.ts";

/** The three tables that give the state of an open job are read only for open jobs. */
const perState = shared(
  "search-count-states",
  (d) => `select case when j.state <> 'open' then j.state
  else (select s.job_state from andon_job_states s where s.pos = j.pos) end as state, count(*) as jobs
from andon_jobs j where j.pos ${d.among("positions", "bigint")} group by 1`,
);
/** Counts per state of the jobs that match a filter, over as many jobs as a search reads. */
export async function countJobs(at: StepContext, filter: JobFilter): Promise<BoundedCounts> {
  const search = await searchOf(at, filter);
  const known = isKept(search.filter) ? statesOf(search.filter) : [];
  const counts = Object.fromEntries(
    JOB_STATES.map((state) => [state, known.includes(state) ? storedIn(search, [state]) : 0]),
  ) as JobCounts;
  if (known.length > 0) return { counts, more: false };
  const { positions, more = false } = await lookedAt(search);
  const values = { positions: at.dialect.array(positions) };
  const [rows, whole] = await Promise.all([
    at.session.all<{ state: JobState; jobs: number }>(perState(at.dialect), values),
    more ? wholeCounts(search) : {},
  ]);
  for (const { state, jobs } of rows) counts[state] = jobs;
  return { counts: Object.assign(counts, whole), more };
}

/** All jobs that match the filter, if they can be counted; otherwise the newest. */
async function lookedAt(search: Search): Promise<Found> {
  const newest = await find(search, { offset: 0, limit: MOST_LOOKED_AT });
  if (newest.more || newest.positions.length === newest.total) return newest;
  return find(search, { offset: 0, limit: MOST_COUNTED });
}

/** Counts for the states that can be counted separately: otherwise many waiting jobs would hide the failed ones. */
async function wholeCounts(search: Search): Promise<Partial<JobCounts>> {
  const counting = statesOf(search.filter).flatMap((state) => {
    const stored = storedIn(search, [state]);
    const ofState = { ...search, filter: { ...search.filter, state } };
    const isExact = stored > 0 && (stored <= MOST_LOOKED_AT || isAnswered(ofState));
    return isExact ? [totalIn(ofState, state)] : [];
  });
  return Object.fromEntries(await Promise.all(counting));
}

async function totalIn(search: Search, state: JobState): Promise<[JobState, number]> {
  return [state, (await find(search, { offset: 0, limit: 1 })).total];
}
