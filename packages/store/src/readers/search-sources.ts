import { JOB_STATES, type JobState } from "@andon/contract";
import type { JobFilter } from "@andon/engine";
import { readJob } from "../steps/job-steps.ts";
import { type StepContext, shared } from "../steps/kit.ts";
import type { Tally } from "../steps/ledger-steps.ts";
import { positionsOf } from "./job-places.ts";
import { countUnlessReached } from "./reached-bounds.ts";
import { type PositionRange, readRange, type Stretch } from "./time-range.ts";

/** Indexes by tenant leave its jobs out, so that who has no tenants does not pay for them. */
export const DEFAULT_TENANT = "default";

/** A queue as a search sees it. */
export interface SearchedQueue {
  name: string;
  /** Jobs that are stored, per state. */
  counts: Record<JobState, number>;
}

export function searchedQueue(name: string, { purged, held: _held, ...counts }: Tally): SearchedQueue {
  return { name, counts: { ...counts, done: counts.done - purged } };
}

const ofTenant = shared(
  "search-tenant",
  () => `select pos from andon_jobs
where tenant = @tenant and tenant <> 'default' and queue = @queue and pos >= @first and pos < @end
order by pos desc limit @most`,
);
const asideOfTenant = shared(
  "search-tenant-aside",
  () => `select pos from andon_aside
where tenant = @tenant and tenant <> 'default' and queue = @queue and state = @state
order by at desc, pos desc limit @most`,
);
const inRange = shared(
  "search-range",
  () => "select pos from andon_jobs where pos >= @first and pos < @end order by pos desc limit @most",
);
const lastOfAll = shared(
  "search-last-of-all",
  () => `select pos, case when queue = @queue then 1 else 0 end as is_own from andon_jobs
order by pos desc limit @most`,
);
const inLane = shared(
  "search-lane",
  () =>
    "select pos from andon_lane_jobs where queue = @queue and lane_key = @key order by seq desc limit @most",
);
const withFingerprint = shared(
  "search-fingerprint",
  () => `select pos from andon_aside
where queue = @queue and fingerprint = @fingerprint and state = @state order by at desc limit @most`,
);

const counted = (name: string, jobs: string) =>
  shared(name, () => `select count(*) as jobs from (select 1 from ${jobs} limit @most) found`);
const tenantCount = counted(
  "search-count-tenant",
  "andon_jobs where tenant = @tenant and tenant <> 'default' and queue = @queue",
);
const tenantAsideCount = counted(
  "search-count-tenant-aside",
  "andon_aside where tenant = @tenant and tenant <> 'default' and queue = @queue and state = @state",
);
const fingerprintCount = counted(
  "search-count-fingerprint",
  "andon_aside where queue = @queue and fingerprint = @fingerprint and state = @state",
);

/** States whose jobs stand aside with the error they ended with. */
export const WITH_FINGERPRINT = ["failed", "resolved", "skipped", "cancelled"] as const satisfies JobState[];

/** States whose jobs stand aside. */
export const ASIDE = [...WITH_FINGERPRINT, "parked", "aborted"] as const satisfies JobState[];

async function positions(rows: Promise<{ pos: number }[]>): Promise<number[]> {
  return (await rows).map((row) => row.pos);
}

export function tenantJobs(
  at: StepContext,
  queue: string,
  tenant: string,
  range: PositionRange,
  most: number,
): Promise<number[]> {
  const read = (stretch: Stretch, left: number) =>
    positions(at.session.all(ofTenant(at.dialect), { queue, tenant, ...stretch, most: left }));
  return readRange(range, most, read);
}

/** Those that came aside last first. */
export function tenantJobsAside(
  at: StepContext,
  queue: string,
  tenant: string,
  state: JobState,
  most: number,
): Promise<number[]> {
  return positions(at.session.all(asideOfTenant(at.dialect), { queue, tenant, state, most }));
}

export function jobsInRange(at: StepContext, range: PositionRange, most: number): Promise<number[]> {
  const read = (stretch: Stretch, left: number) =>
    positions(at.session.all(inRange(at.dialect), { ...stretch, most: left }));
  return readRange(range, most, read);
}

/** How many jobs of other queues are passed by on the way to the newest of one. */
const MOST_PASSED_BY = 500;

/** The newest jobs of a queue, if it has them among the newest of all; undefined where it is too quiet for that. */
export async function newestOfQueue(
  at: StepContext,
  queue: string,
  most: number,
): Promise<number[] | undefined> {
  const values = { queue, most: most + MOST_PASSED_BY };
  const rows = await at.session.all<{ pos: number; is_own: number }>(lastOfAll(at.dialect), values);
  const own = rows.filter((row) => row.is_own === 1).map((row) => row.pos);
  return own.length >= most || rows.length < values.most ? own.slice(0, most) : undefined;
}

export function laneJobs(at: StepContext, queue: string, key: string, most: number): Promise<number[]> {
  return positions(at.session.all(inLane(at.dialect), { queue, key, most }));
}

/** Ended jobs with this fingerprint, in one state or in all of them. */
export async function fingerprintJobs(
  at: StepContext,
  queue: string,
  fingerprint: string,
  state: JobState | undefined,
  most: number,
): Promise<number[]> {
  const states = WITH_FINGERPRINT.filter((one) => state === undefined || state === one);
  const found = states.map((one) =>
    positions(at.session.all(withFingerprint(at.dialect), { queue, fingerprint, state: one, most })),
  );
  return (await Promise.all(found)).flat();
}

async function count(
  at: StepContext,
  statement: ReturnType<typeof shared>,
  values: Record<string, unknown>,
): Promise<number> {
  const [row] = await at.session.all<{ jobs: number }>(statement(at.dialect), values);
  return row?.jobs ?? 0;
}

export function countTenant(at: StepContext, queue: string, tenant: string, most: number) {
  return countUnlessReached(at.session, JSON.stringify(["tenant", queue, tenant]), () =>
    count(at, tenantCount, { queue, tenant, most }),
  );
}

export function countTenantAside(
  at: StepContext,
  queue: string,
  tenant: string,
  state: JobState,
  most: number,
) {
  return count(at, tenantAsideCount, { queue, tenant, state, most });
}

export function countFingerprint(
  at: StepContext,
  queue: string,
  fingerprint: string,
  state: JobState,
  most: number,
) {
  return count(at, fingerprintCount, { queue, fingerprint, state, most });
}

export interface Place extends SearchedQueue {
  state: JobState;
}

/** Where jobs of these states are, the places with the fewest first. */
export function placesOf(queues: readonly SearchedQueue[], states: readonly JobState[]): Place[] {
  const places = queues.flatMap((queue) => states.map((state) => ({ ...queue, state })));
  return places
    .filter(({ counts, state }) => counts[state] > 0)
    .sort((a, b) => a.counts[a.state] - b.counts[b.state]);
}

/** The newest jobs of each place: `most` of each, or with `shared` as many in all. Small places are then seen whole. */
export async function newestJobs(
  at: StepContext,
  places: readonly Place[],
  most: number,
  { shared: isShared, newestFirst: order = true }: { shared: boolean; newestFirst?: boolean },
): Promise<number[]> {
  let left = most;
  const found = places.map(({ name, counts, state }, index) => {
    const part = isShared ? Math.ceil(left / (places.length - index)) : most;
    const limit = Math.min(part, counts[state]);
    left -= limit;
    return positionsOf(at, name, state, counts[state], { offset: 0, limit, newestFirst: order });
  });
  return (await Promise.all(found)).flat();
}

/** The job whose id or ticket the text is. */
export async function jobsNamed(at: StepContext, text: string): Promise<number[]> {
  const found = await Promise.all([readJob(at, { id: text.toLowerCase() }), readJob(at, { ticket: text })]);
  return found.flatMap((job) => (job ? [job.pos] : []));
}

export function newestFirst(positions: readonly number[]): number[] {
  return [...new Set(positions)].sort((a, b) => b - a);
}

export function statesOf(filter: JobFilter): readonly JobState[] {
  return filter.state === undefined ? JOB_STATES : [filter.state];
}
