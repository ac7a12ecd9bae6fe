import { JOB_STATES, type JobState } from "@andon/contract";
import { DEFAULT_TENANT, type JobFilter, type LaneId } from "@andon/engine";
import { readJob } from "../steps/job-steps.ts";
import type { Tally } from "../steps/ledger-steps.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { positionsOf } from "./job-places.ts";
import { lanesWithKey } from "./lane-reader.ts";
import { countUnlessReached } from "./reached-bounds.ts";
import { type PositionRange, readRange, type Stretch } from "./time-range.ts";

// All indexes that a search can start from, and their counts, in one file: the rules of search choose among them.

/** A queue as the search sees it. */
export interface SearchedQueue {
  name: string;
  /** Stored jobs per state. */
  counts: Record<JobState, number>;
}

export function searchedQueue(name: string, { purged, held: _held, ...counts }: Tally): SearchedQueue {
  return { name, counts: { ...counts, done: counts.done - purged } };
}

/** The owner of the jobs that an index finds: a tenant, or one organisation of it. */
export interface Owner {
  tenant: string;
  organization?: string | undefined;
}

/** Indexes by tenant exclude the default tenant, so that a store without tenants does not pay for them. */
const OWNED = {
  tenant: "tenant = @tenant and tenant <> 'default'",
  organization: "organization = @organization and tenant = @tenant",
} as const;

export function ownerOf({ tenant, organization }: JobFilter): Owner | undefined {
  if (tenant === undefined || (tenant === DEFAULT_TENANT && organization === undefined)) return undefined;
  return { tenant, organization };
}

/** One statement for tenants and one for organisations. */
function byOwner(name: string, text: (owned: string) => string) {
  const [tenant, organization] = (["tenant", "organization"] as const).map((kind) =>
    shared(name.replace("OWNER", kind), () => text(OWNED[kind])),
  ) as [ReturnType<typeof shared>, ReturnType<typeof shared>];
  return (owner: Owner) => (owner.organization === undefined ? tenant : organization);
}

const ownerValues = ({ tenant, organization }: Owner) =>
  organization === undefined ? { tenant } : { tenant, organization };

const ofOwner = byOwner(
  "search-OWNER",
  (owned) => `select pos from andon_jobs
where ${owned} and queue = @queue and pos >= @first and pos < @end
order by pos desc limit @most`,
);
const endedOfOwner = byOwner(
  "search-OWNER-ended",
  (owned) => `select pos from andon_ended
where ${owned} and queue = @queue and state = @state
order by at desc, pos desc limit @most`,
);
const inRange = shared(
  "search-range",
  () => "select pos from andon_jobs where pos >= @first and pos < @end order by pos desc limit @most",
);
const oldestOfAll = shared("search-oldest", () => "select pos from andon_jobs order by pos limit @most");
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
/**
 * Keys are a JSON array: its first key is followed by a bracket, or by a comma. In byte order a hyphen comes right
 * after a comma, so it is the end of the range.
 */
const FIRST_KEYS = "substr(lane_keys, 1, 160)";
const withFirstKey = shared(
  "search-first-key",
  () => `select pos from andon_jobs
where queue = @queue and lane_keys is not null and ${FIRST_KEYS} = @alone order by pos desc limit @most`,
);
const withFirstOfKeys = shared(
  "search-first-of-keys",
  () => `select pos from andon_jobs
where queue = @queue and lane_keys is not null and ${FIRST_KEYS} >= @first and ${FIRST_KEYS} < @end
order by ${FIRST_KEYS}, pos limit @most`,
);
const newestBefore = shared(
  "search-newest-before",
  () => "select pos, created_at from andon_jobs where pos < @before order by pos desc limit @most",
);
const withFingerprint = shared(
  "search-fingerprint",
  () => `select pos from andon_ended
where queue = @queue and fingerprint = @fingerprint and state = @state order by at desc limit @most`,
);

const counted = (jobs: string) => `select count(*) as jobs from (select 1 from ${jobs} limit @most) found`;
const ownerCount = byOwner("search-count-OWNER", (owned) =>
  counted(`andon_jobs where ${owned} and queue = @queue`),
);
const ownerEndedCount = byOwner("search-count-OWNER-ended", (owned) =>
  counted(`andon_ended where ${owned} and queue = @queue and state = @state`),
);
const fingerprintCount = shared("search-count-fingerprint", () =>
  counted("andon_ended where queue = @queue and fingerprint = @fingerprint and state = @state"),
);

/** States whose jobs have a row in andon_ended with their error. */
export const WITH_FINGERPRINT = ["failed", "resolved", "skipped", "cancelled"] as const satisfies JobState[];

/** States whose jobs have a row in andon_ended. */
export const ENDED = [...WITH_FINGERPRINT, "parked", "aborted"] as const satisfies JobState[];

async function positions(rows: Promise<{ pos: number }[]>): Promise<number[]> {
  return (await rows).map((row) => row.pos);
}

export function ownerJobs(
  at: StepContext,
  queue: string,
  owner: Owner,
  range: PositionRange,
  most: number,
): Promise<number[]> {
  const read = (stretch: Stretch, left: number) =>
    positions(
      at.session.all(ofOwner(owner)(at.dialect), { queue, ...ownerValues(owner), ...stretch, most: left }),
    );
  return readRange(range, most, read);
}

/** Jobs that ended last come first. */
export function ownerJobsEnded(
  at: StepContext,
  queue: string,
  owner: Owner,
  state: JobState,
  most: number,
): Promise<number[]> {
  const values = { queue, ...ownerValues(owner), state, most };
  return positions(at.session.all(endedOfOwner(owner)(at.dialect), values));
}

export function jobsInRange(at: StepContext, range: PositionRange, most: number): Promise<number[]> {
  const read = (stretch: Stretch, left: number) =>
    positions(at.session.all(inRange(at.dialect), { ...stretch, most: left }));
  return readRange(range, most, read);
}

export function oldestJobs(at: StepContext, most: number): Promise<number[]> {
  return positions(at.session.all(oldestOfAll(at.dialect), { most }));
}

/** How many jobs of other queues are skipped to reach the newest of one. */
const MOST_PASSED_BY = 500;

/** The newest jobs of a queue, if they are among the newest of all; undefined if the queue is too quiet for that. */
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

/** For how many tenants the lane of a key is read if no tenant is given. */
const MOST_TENANTS = 200;

export async function laneJobs(
  at: StepContext,
  queue: string,
  { key, tenant }: { key: string; tenant?: string | undefined },
  most: number,
): Promise<number[]> {
  const lanes = await lanesWithKey(at, queue, key, tenant, MOST_TENANTS);
  const found = lanes.map((lane) =>
    positions(at.session.all(inLane(at.dialect), { queue, key: lane, most })),
  );
  return (await Promise.all(found)).flat();
}

/** The number of characters of the keys that the index has. */
const LONGEST_INDEXED = 160;

/** Jobs with this key as their first, in any state. */
export async function jobsByFirstKey(
  at: StepContext,
  queue: string,
  { key, tenant }: { key: string; tenant?: string | undefined },
  most: number,
): Promise<number[]> {
  const lanes = await lanesWithKey(at, queue, key, tenant, MOST_TENANTS);
  const found = await Promise.all(lanes.map((lane) => jobsByFirstLane(at, queue, lane, most)));
  return newestFirst(found.flat()).slice(0, most);
}

async function jobsByFirstLane(
  at: StepContext,
  queue: string,
  lane: LaneId,
  most: number,
): Promise<number[]> {
  const begin = `[${JSON.stringify(lane)}`;
  const indexed = (text: string) => [...text].slice(0, LONGEST_INDEXED).join("");
  const found = await Promise.all([
    positions(at.session.all(withFirstKey(at.dialect), { queue, alone: indexed(`${begin}]`), most })),
    [...begin].length >= LONGEST_INDEXED
      ? []
      : positions(
          at.session.all(withFirstOfKeys(at.dialect), { queue, first: `${begin},`, end: `${begin}-`, most }),
        ),
  ]);
  return found.flat();
}

/** The newest jobs before a position, with their creation time. */
export function newestJobsBefore(at: StepContext, before: number, most: number) {
  return at.session.all<{ pos: number; created_at: number }>(newestBefore(at.dialect), { before, most });
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

export function countOwner(at: StepContext, queue: string, owner: Owner, most: number) {
  const { tenant, organization } = owner;
  return countUnlessReached(at.session, JSON.stringify(["owner", queue, tenant, organization ?? null]), () =>
    count(at, ownerCount(owner), { queue, ...ownerValues(owner), most }),
  );
}

export function countOwnerEnded(at: StepContext, queue: string, owner: Owner, state: JobState, most: number) {
  return count(at, ownerEndedCount(owner), { queue, ...ownerValues(owner), state, most });
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

/**
 * The newest jobs of each place: `most` per place, or with `shared` in total. Small places are then read as a whole.
 */
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

/** The job with this id or ticket. */
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
