import type { JobState } from "@andon/contract";
import type { JobFilter, LaneId } from "@andon/engine";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { HEAD_OF_LANE } from "./job-places.ts";
import { lanesWithKey } from "./lane-reader.ts";
import { matchingStates } from "./search-match.ts";

/** A source of jobs, read in batches after the last `(place, pos)`. */
type Scan = ReturnType<typeof shared>;

const scanEnded = shared(
  "scan-ended",
  () => `select at as place, pos from andon_ended
where queue = @queue and state = @state and (at, pos) > (@place, @pos) order by at, pos limit @most`,
);
const scanTimers = shared(
  "scan-timers",
  () =>
    "select 0 as place, pos from andon_timers where queue = @queue and pos > @pos order by pos limit @most",
);
const scanReady = shared(
  "scan-ready",
  () => `select rank as place, pos from andon_ready
where queue = @queue and (rank, pos) > (@place, @pos) order by rank, pos limit @most`,
);
const scanRunning = shared(
  "scan-running",
  () =>
    "select 0 as place, pos from andon_running where queue = @queue and pos > @pos order by pos limit @most",
);
const scanBlocked = shared(
  "scan-blocked",
  () => `select distinct 0 as place, m.pos from andon_lane_jobs m
where m.queue || '' = @queue and m.pos > @pos and m.seq <> ${HEAD_OF_LANE}
order by m.pos limit @most`,
);
const scanLane = shared(
  "scan-lane",
  () => `select seq as place, pos from andon_lane_jobs
where queue = @queue and lane_key = @key and seq > @place order by seq limit @most`,
);

interface Place {
  readonly scan: Scan;
  readonly state: JobState;
  readonly lane?: LaneId;
}

const PLACES: Partial<Record<JobState, Scan>> = {
  scheduled: scanTimers,
  blocked: scanBlocked,
  ready: scanReady,
  running: scanRunning,
  parked: scanEnded,
  failed: scanEnded,
};

const AT_ONCE = 2_000;
/** Below the rank of any job, and before any time. */
const BEFORE_ALL = -(2 ** 31);

/** Every job in these states that matches the filter. Other work gets a turn between two batches. */
export async function* scanJobs(
  at: StepContext,
  queue: string,
  states: readonly JobState[],
  filter: JobFilter,
): AsyncGenerator<number[], void> {
  const seen = new Set<number>();
  for (const { scan, state, lane } of await placesOf(at, queue, states, filter)) {
    const after = { place: BEFORE_ALL, pos: 0 };
    for (;;) {
      const values = { queue, state, key: lane ?? null, most: AT_ONCE, ...after };
      const batch = await at.session.all<{ place: number; pos: number }>(scan(at.dialect), values);
      const last = batch.at(-1);
      if (!last) break;
      Object.assign(after, last);
      const fresh = batch.map((row) => row.pos).filter((pos) => !seen.has(pos));
      const found = await matchingStates(at, fresh, { ...filter, queue });
      const meant = found.filter((job) => states.includes(job.state)).map((job) => job.pos);
      for (const pos of meant) seen.add(pos);
      if (meant.length > 0) yield meant;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Jobs in line with a key are in its lane or have yet to join it; those with a row in andon_ended may have left it. */
async function placesOf(
  at: StepContext,
  queue: string,
  states: readonly JobState[],
  filter: JobFilter,
): Promise<Place[]> {
  const inLine = states.some((state) => state === "ready" || state === "blocked" || state === "running");
  const places = states.flatMap((state): Place[] => {
    const scan = PLACES[state];
    return scan ? [{ scan, state }] : [];
  });
  if (filter.key === undefined || !inLine) return places;
  const elsewhere = places.filter(({ scan }) => scan === scanTimers || scan === scanEnded);
  const lanes = await lanesWithKey(at, queue, filter.key, filter.tenant);
  return [...elsewhere, ...lanes.map((lane): Place => ({ scan: scanLane, state: "ready", lane }))];
}
