import type { Lane } from "@andon/contract";
import type { JobRow } from "@andon/engine";
import { alongIndex } from "../statements/along-index.ts";
import { JOB_COLUMNS, jobRow, type RawJob } from "../statements/job-row.ts";
import { type StepContext, shared } from "./kit.ts";

export interface RawLane {
  queue: string;
  lane_key: string;
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

/** `|| ''`: in the order of the index PostgreSQL would walk all lanes of the queue. */
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
const first = shared(
  "lane-first",
  () =>
    `select seq, pos, lanes from andon_lane_jobs where queue = @queue and lane_key = @key order by seq limit 1`,
);
const setHead = shared(
  "lane-set-head",
  () => "update andon_lanes set head_seq = @seq where queue = @queue and lane_key = @key",
);
const admit = shared(
  "lane-admit",
  () => "update andon_jobs set waits = waits - 1 where pos = @pos returning waits",
);
const ready = shared(
  "ready-insert",
  (d) => `insert into andon_ready (queue, rank, pos, share)
select queue, rank, pos, share from andon_jobs where pos ${d.among("positions", "bigint")}`,
);
const unadmit = shared(
  "lane-unadmit",
  () => `update andon_jobs set waits = waits + 1
where pos = (
  select pos from andon_lane_jobs where queue = @queue and lane_key = @key and seq = @seq and lanes > 1
)`,
);
const firstOfLane = alongIndex({ queue: "@queue", lane_key: "@key" }, ["seq"]);
/** One more than wanted is read of the lane: its head may run or have failed, which is not waiting. */
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
  () => "update andon_lanes set depth = depth - @gone where queue = @queue and lane_key = @key",
);
const ensure = shared(
  "lane-ensure",
  () => `insert into andon_lanes (queue, lane_key) values (@queue, @key)
on conflict (queue, lane_key) do update set depth = andon_lanes.depth`,
);
export async function ensureLanes(at: StepContext, queue: string, keys: readonly string[]): Promise<void> {
  for (const key of [...keys].sort(byBytes)) await at.session.run(ensure(at.dialect), { queue, key });
}

export async function lockLanes(at: StepContext, queue: string, keys: readonly string[]): Promise<RawLane[]> {
  if (keys.length === 0) return [];
  return at.session.all<RawLane>(lock(at.dialect), { queue, keys: at.dialect.array(keys) });
}

/** Returns how many of these lanes, whose rows are locked, were not held before. */
export async function holdLanes(
  at: StepContext,
  queue: string,
  keys: readonly string[],
  held: NonNullable<Lane["held"]>,
): Promise<number> {
  if (keys.length === 0) return 0;
  const values = { queue, keys: at.dialect.array(keys) };
  const [fresh] = await at.session.all<{ lanes: number }>(notHeld(at.dialect), values);
  await at.session.run(hold(at.dialect), { ...values, ...held });
  return fresh?.lanes ?? 0;
}

/** Returns how many of these lanes were held. */
export async function releaseLanes(at: StepContext, queue: string, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  return at.session.run(release(at.dialect), { queue, keys: at.dialect.array(keys) });
}

/** Returns how many jobs became ready. */
export async function admitHeads(at: StepContext, queue: string, keys: readonly string[]): Promise<number> {
  const admitted: number[] = [];
  for (const lane of await lockLanes(at, queue, keys)) {
    const key = lane.lane_key;
    const [head] = await at.session.all<Head>(first(at.dialect), { queue, key });
    const seq = lane.held_kind === "hand" ? keptHead(lane, head) : (head?.seq ?? 0);
    if (seq === lane.head_seq) continue;
    await at.session.run(setHead(at.dialect), { queue, key, seq });
    if (seq === 0 || !head) continue;
    if (await isLetThrough(at, head)) admitted.push(head.pos);
  }
  if (admitted.length > 0) await at.session.run(ready(at.dialect), { positions: at.dialect.array(admitted) });
  return admitted.length;
}

interface Head {
  seq: number;
  pos: number;
  lanes: number;
}

/** Whether all lanes of a job that one more has let through have done so; a job with one lane needs no counter. */
async function isLetThrough(at: StepContext, head: Head): Promise<boolean> {
  if (head.lanes === 1) return true;
  const [job] = await at.session.all<{ waits: number }>(admit(at.dialect), { pos: head.pos });
  return job?.waits === 0;
}

/** A held lane lets nobody new through; who was through already (it runs) stays so until it leaves. */
function keptHead(lane: RawLane, head: { seq: number } | undefined): number {
  return head?.seq === lane.head_seq ? lane.head_seq : 0;
}

/** Undoes the admission of a lane's head; the caller knows that it waits. */
export async function unadmitHead(at: StepContext, lane: RawLane): Promise<void> {
  const values = { queue: lane.queue, key: lane.lane_key };
  await at.session.run(unadmit(at.dialect), { ...values, seq: lane.head_seq });
  await at.session.run(setHead(at.dialect), { ...values, seq: 0 });
}

/** The job that a lane has let through, if any. */
export async function admittedIn(at: StepContext, lane: RawLane): Promise<JobRow | undefined> {
  const values = { queue: lane.queue, key: lane.lane_key, seq: lane.head_seq };
  const [raw] = await at.session.all<RawJob>(admittedJob(at.dialect), values);
  return raw && jobRow(raw);
}

/** The first of them, in order. */
export async function waitingInLane(
  at: StepContext,
  queue: string,
  key: string,
  most: number,
): Promise<JobRow[]> {
  return (await at.session.all<RawJob>(waiting(at.dialect), { queue, key, most })).map(jobRow);
}

export async function places(at: StepContext, positions: readonly number[]) {
  return at.session.all<{ pos: number; lane_key: string; seq: number }>(membership(at.dialect), {
    positions: at.dialect.array(positions),
  });
}

/** Takes jobs out of their lanes, whose rows are locked, and returns the keys they left. */
export async function leavePlaces(
  at: StepContext,
  queue: string,
  positions: readonly number[],
): Promise<string[]> {
  const left = await at.session.all<{ lane_key: string }>(leave(at.dialect), {
    positions: at.dialect.array(positions),
  });
  const gone = new Map<string, number>();
  for (const { lane_key: key } of left) gone.set(key, (gone.get(key) ?? 0) + 1);
  for (const [key, count] of gone) await at.session.run(shrink(at.dialect), { queue, key, gone: count });
  return [...gone.keys()];
}

/** The order of the "C" collation, in which PostgreSQL locks lanes: bytes of UTF-8. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
