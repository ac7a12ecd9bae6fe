import type { Lane } from "@andon/contract";
import type { JobRow, LaneId } from "@andon/engine";
import { alongIndex } from "../statements/along-index.ts";
import { JOB_COLUMNS, jobRow, type RawJob } from "../statements/job-row.ts";
import { byCount, countOf } from "./by-count.ts";
import { type StepContext, shared } from "./statement-registry.ts";

export interface RawLane {
  queue: string;
  lane_key: LaneId;
  head_seq: number;
  depth: number;
  held_at: number | null;
  held_kind: "failure" | "hand" | null;
  held_by: string | null;
  held_reason: string | null;
  held_job_id: string | null;
}

/** The columns of andon_lanes that make a RawLane. */
export const LANE_COLUMNS =
  "l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id";

/** `|| ''` keeps PostgreSQL from scanning the index in this order, through all lanes of the queue. */
const lock = shared(
  "lanes-lock",
  (
    d,
  ) => `select ${LANE_COLUMNS} from andon_lanes l where queue = @queue and lane_key ${d.among("keys", "text")}
order by lane_key || ''${d.forUpdate}`,
);
const notHeld = shared(
  "lanes-not-held",
  (d) =>
    `select count(*) as lanes from andon_lanes where queue = @queue and lane_key ${d.among("keys", "text")} and held_at is null`,
);
const hold = shared(
  "lanes-hold",
  (
    d,
  ) => `update andon_lanes set held_at = @at, held_kind = @kind, held_by = @by, held_reason = @reason, held_job_id = @jobId
where queue = @queue and lane_key ${d.among("keys", "text")}`,
);
const release = shared(
  "lanes-release",
  (
    d,
  ) => `update andon_lanes set held_at = null, held_kind = null, held_by = null, held_reason = null, held_job_id = null
where queue = @queue and lane_key ${d.among("keys", "text")} and held_at is not null`,
);
const clear = shared(
  "lanes-clear-head",
  (d) => `update andon_lanes set head_seq = 0 where queue = @queue and lane_key ${d.among("keys", "text")}`,
);
/** A job with a single lane has no counter. */
const unadmit = shared(
  "lanes-unadmit",
  (d) =>
    `update andon_jobs set waits = waits + @lanes where pos ${d.amongRows(
      `select m.pos from andon_lane_jobs m where m.pos ${d.among("positions", "bigint")} and m.lanes > 1`,
    )}`,
);
const firstOfLane = alongIndex({ queue: "@queue", lane_key: "@key" }, ["seq"]);
/** Reads one more from the lane than requested: its head may be running or failed, so it does not wait. */
const waiting = shared(
  "lane-waiting",
  (d) => `select ${JOB_COLUMNS} from andon_job_states s
where s.pos ${d.amongRows(`select pos from andon_lane_jobs where ${firstOfLane.where} order by ${firstOfLane.order} limit @most + 1`)}
  and s.job_state in ('ready', 'blocked', 'scheduled')
order by (select m.seq from andon_lane_jobs m where m.pos = s.pos and m.queue || '' = @queue and m.lane_key || '' = @key) limit @most`,
);
const admittedJob = shared(
  "lane-admitted",
  () => `select ${JOB_COLUMNS} from andon_job_states s
where s.pos = (select pos from andon_lane_jobs where queue = @queue and lane_key = @key and seq = @seq)`,
);
const membership = shared(
  "lane-membership",
  (d) => `select pos, lane_key, seq from andon_lane_jobs where pos ${d.among("positions", "bigint")}`,
);
const leave = shared(
  "lane-leave",
  (d) => `delete from andon_lane_jobs where pos ${d.among("positions", "bigint")} returning lane_key`,
);
const shrink = shared(
  "lane-shrink",
  (d) =>
    `update andon_lanes set depth = depth - @gone where queue = @queue and lane_key ${d.among("keys", "text")}`,
);
const ensure = shared(
  "lane-ensure",
  () => `insert into andon_lanes (queue, lane_key) values (@queue, @key)
on conflict (queue, lane_key) do update set depth = andon_lanes.depth`,
);
export async function ensureLanes(at: StepContext, queue: string, lanes: readonly LaneId[]): Promise<void> {
  for (const key of [...lanes].sort(byBytes)) await at.session.run(ensure(at.dialect), { queue, key });
}

export async function lockLanes(
  at: StepContext,
  queue: string,
  lanes: readonly LaneId[],
): Promise<RawLane[]> {
  if (lanes.length === 0) return [];
  return at.session.all<RawLane>(lock(at.dialect), { queue, keys: at.dialect.array(lanes) });
}

/** Returns how many of these lanes, which are locked, were not held before. */
export async function holdLanes(
  at: StepContext,
  queue: string,
  lanes: readonly LaneId[],
  held: NonNullable<Lane["held"]>,
): Promise<number> {
  if (lanes.length === 0) return 0;
  const values = { queue, keys: at.dialect.array(lanes) };
  const [fresh] = await at.session.all<{ lanes: number }>(notHeld(at.dialect), values);
  await at.session.run(hold(at.dialect), { ...values, ...held });
  return fresh?.lanes ?? 0;
}

/** Returns how many of these lanes were held. */
export async function releaseLanes(
  at: StepContext,
  queue: string,
  lanes: readonly LaneId[],
): Promise<number> {
  if (lanes.length === 0) return 0;
  return at.session.run(release(at.dialect), { queue, keys: at.dialect.array(lanes) });
}

/** Marks these lanes as having let no job through. */
export async function clearHeads(at: StepContext, queue: string, lanes: readonly LaneId[]): Promise<void> {
  if (lanes.length > 0) await at.session.run(clear(at.dialect), { queue, keys: at.dialect.array(lanes) });
}

/** Undoes the admission of the heads of lanes; the caller knows that they wait. */
export async function unadmitHeads(
  at: StepContext,
  queue: string,
  heads: readonly { readonly lane: LaneId; readonly pos: number }[],
): Promise<void> {
  for (const [lanes, positions] of byCount(countOf(heads.map(({ pos }) => pos))))
    await at.session.run(unadmit(at.dialect), { lanes, positions: at.dialect.array(positions) });
  await clearHeads(
    at,
    queue,
    heads.map(({ lane }) => lane),
  );
}

/** The job that a lane has let through, if any. */
export async function admittedIn(at: StepContext, lane: RawLane): Promise<JobRow | undefined> {
  const values = { queue: lane.queue, key: lane.lane_key, seq: lane.head_seq };
  const [raw] = await at.session.all<RawJob>(admittedJob(at.dialect), values);
  return raw && jobRow(raw);
}

/** The first waiting jobs of a lane, in order. */
export async function waitingInLane(
  at: StepContext,
  queue: string,
  key: LaneId,
  most: number,
): Promise<JobRow[]> {
  return (await at.session.all<RawJob>(waiting(at.dialect), { queue, key, most })).map(jobRow);
}

export async function places(at: StepContext, positions: readonly number[]) {
  return at.session.all<{ pos: number; lane_key: LaneId; seq: number }>(membership(at.dialect), {
    positions: at.dialect.array(positions),
  });
}

/** Takes jobs out of their lanes, which are locked, and returns these lanes. */
export async function leavePlaces(
  at: StepContext,
  queue: string,
  positions: readonly number[],
): Promise<LaneId[]> {
  const left = await at.session.all<{ lane_key: LaneId }>(leave(at.dialect), {
    positions: at.dialect.array(positions),
  });
  const gone = countOf(left.map(({ lane_key: key }) => key));
  for (const [count, lanes] of byCount(gone))
    await at.session.run(shrink(at.dialect), { queue, gone: count, keys: at.dialect.array(lanes) });
  return [...gone.keys()];
}

/** The order of the "C" collation, in which PostgreSQL locks lanes: bytes of UTF-8. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
