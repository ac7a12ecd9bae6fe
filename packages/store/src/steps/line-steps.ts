import type { JobState } from "@andon/contract";
import {
  type Claim,
  type DueJob,
  type DuePlace,
  type JobRow,
  keysOfLanes,
  type LaneId,
  type TimerKind,
} from "@andon/engine";
import { alongIndex } from "../statements/along-index.ts";
import {
  CLAIM_COLUMNS,
  claimOf,
  JOB_COLUMNS,
  jobRow,
  lanesIn,
  type RawClaim,
  type RawJob,
} from "../statements/job-row.ts";
import { lockLanes, places, unadmitHeads } from "./lane-steps.ts";
import { type StepContext, shared } from "./statement-registry.ts";

const enter = shared(
  "ready-enter",
  (d) => `insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, share, stage from andon_jobs where pos ${d.among("positions", "bigint")}
returning pos`,
);
const leaveReadyAll = shared(
  "ready-leave",
  (d) => `delete from andon_ready
where queue = @queue and pos ${d.among("positions", "bigint")}
  and rank ${d.amongRows(`select rank from andon_jobs where pos ${d.among("positions", "bigint")}`)}`,
);
const addTimer = shared(
  "timer-add",
  () => "insert into andon_timers (pos, queue, due_at, kind) values (@pos, @queue, @due, @kind)",
);
const leaveTimersAll = shared(
  "timers-leave",
  (d) => `delete from andon_timers where pos ${d.among("positions", "bigint")}`,
);
/** As a range over the whole index, since no other index may serve it: `alongIndex` gives the reason. */
const due = shared(
  "timers-due",
  (d) => `select pos, due_at, kind from andon_timers
where (queue, due_at, pos) > (@queue, @afterDue, @afterPos) and (queue, due_at) <= (@queue, @now)
order by queue, due_at, pos limit @most${d.forUpdateSkipLocked}`,
);
const dueFacts = shared(
  "timers-due-jobs",
  (d) =>
    `select pos, id, tenant, lane_keys, seq, awaits from andon_jobs where pos ${d.among("positions", "bigint")}`,
);
const promotionLock = shared("promotion-lock", (d) => d.promotionLock ?? "select 1 as locked");
const recordEndedAll = shared(
  "ended-add",
  (d) => `insert into andon_ended (pos, queue, state, at, fingerprint, tenant, organization)
select pos, queue, @state, cast(@at as bigint), fingerprint, tenant, organization from andon_jobs where pos ${d.among("positions", "bigint")}`,
);
const leaveEndedAll = shared(
  "ended-leave",
  (d) => `delete from andon_ended where pos ${d.among("positions", "bigint")}`,
);
const firstOfState = alongIndex({ queue: "@queue", state: "@state" }, ["at", "pos"]);
const endedList = shared(
  "ended-positions",
  () => `select pos from andon_ended where ${firstOfState.where} order by ${firstOfState.order} limit @most`,
);
const first = shared(
  "ready-first",
  () => `select ${JOB_COLUMNS} from andon_job_states s
where s.pos = (select pos from andon_ready where queue = @queue order by rank, pos limit 1)`,
);
const startOne = shared(
  "running-start",
  () =>
    `insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
select queue, pos, share, stage, @worker, cast(@fence as integer), cast(@now as bigint) from andon_jobs where pos = @pos`,
);
const claimFacts = shared(
  "claim-facts",
  () => `select ${CLAIM_COLUMNS}, j.fence + 1 as fence from andon_jobs j where j.pos = @pos`,
);
const addClaim = shared(
  "claim-log-add",
  () => `insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started)
values (@queue, @epoch, @worker, @now, 1, 0, @positions)`,
);

/**
 * A job enters the line if all its lanes have let it through. A lane held by hand lets no job back in: the job gives up
 * its admission there and is blocked.
 */
export async function enterLine(
  at: StepContext,
  queue: string,
  positions: readonly number[],
): Promise<Set<number>> {
  const blocked = await blockedPositions(at, queue, positions);
  const free = positions.filter((pos) => !blocked.has(pos));
  const rows = await at.session.all<{ pos: number }>(enter(at.dialect), {
    positions: at.dialect.array(free),
  });
  return new Set(rows.map((row) => row.pos));
}

async function blockedPositions(
  at: StepContext,
  queue: string,
  positions: readonly number[],
): Promise<Set<number>> {
  const taken = await places(at, positions);
  const rows = await lockLanes(at, queue, [...new Set(taken.map((place) => place.lane_key))]);
  const lanes = new Map(rows.map((lane) => [lane.lane_key, lane]));
  const blocked = new Set<number>();
  const unadmitted: { lane: LaneId; pos: number }[] = [];
  for (const { pos, lane_key: key, seq } of taken) {
    const lane = lanes.get(key);
    if (lane?.head_seq === seq && lane.held_kind !== "hand") continue;
    if (lane?.head_seq === seq) unadmitted.push({ lane: key, pos });
    blocked.add(pos);
  }
  await unadmitHeads(at, queue, unadmitted);
  return blocked;
}

export async function leaveReady(
  at: StepContext,
  queue: string,
  positions: readonly number[],
): Promise<void> {
  if (positions.length > 0)
    await at.session.run(leaveReadyAll(at.dialect), { queue, positions: at.dialect.array(positions) });
}

export async function setTimer(
  at: StepContext,
  queue: string,
  pos: number,
  dueAt: number,
  kind: string,
): Promise<void> {
  await at.session.run(addTimer(at.dialect), { pos, queue, due: dueAt, kind });
}

export async function leaveTimers(at: StepContext, positions: readonly number[]): Promise<void> {
  if (positions.length > 0)
    await at.session.run(leaveTimersAll(at.dialect), { positions: at.dialect.array(positions) });
}

export async function tryPromotion(at: StepContext, queue: string): Promise<boolean> {
  if (!at.dialect.promotionLock) return true;
  const [row] = await at.session.all<{ locked: boolean }>(promotionLock(at.dialect), { queue });
  return row?.locked === true;
}

/** Times and positions are numbers from 0 on. */
const BEFORE_ALL: DuePlace = { dueAt: -1, pos: 0 };

export async function dueJobs(
  at: StepContext,
  queue: string,
  now: number,
  most: number,
  after = BEFORE_ALL,
): Promise<DueJob[]> {
  const timers = await at.session.all<{ pos: number; due_at: number; kind: TimerKind }>(due(at.dialect), {
    queue,
    now,
    most,
    afterDue: after.dueAt,
    afterPos: after.pos,
  });
  const facts = await at.session.all<Pick<RawJob, "pos" | "id" | "tenant" | "lane_keys" | "seq" | "awaits">>(
    dueFacts(at.dialect),
    {
      positions: at.dialect.array(timers.map((timer) => timer.pos)),
    },
  );
  const byPos = new Map(facts.map((row) => [row.pos, row]));
  return timers.flatMap(({ pos, due_at: dueAt, kind }) => {
    const job = byPos.get(pos);
    if (!job) return [];
    const { id, seq, tenant, awaits } = job;
    const state = kind === "park" ? ("parked" as const) : ("scheduled" as const);
    const keys = keysOfLanes(lanesIn(job.lane_keys));
    return { id, pos, queue, state, tenant, keys, seq, dueAt, kind, awaits };
  });
}

export async function recordEnded(
  at: StepContext,
  positions: readonly number[],
  state: JobState,
  when: number,
): Promise<void> {
  if (positions.length === 0) return;
  const values = { positions: at.dialect.array(positions), state, at: when };
  await at.session.run(recordEndedAll(at.dialect), values);
}

export async function leaveEnded(at: StepContext, positions: readonly number[]): Promise<void> {
  if (positions.length > 0)
    await at.session.run(leaveEndedAll(at.dialect), { positions: at.dialect.array(positions) });
}

/** Jobs that have been in the state longest, in the order of their positions. */
export async function firstEnded(
  at: StepContext,
  queue: string,
  state: JobState,
  most: number,
): Promise<number[]> {
  const rows = await at.session.all<{ pos: number }>(endedList(at.dialect), { queue, state, most });
  return rows.map((row) => row.pos).sort((a, b) => a - b);
}

export async function firstReady(at: StepContext, queue: string): Promise<JobRow | undefined> {
  const [raw] = await at.session.all<RawJob>(first(at.dialect), { queue });
  return raw && jobRow(raw);
}

export async function claimReady(
  at: StepContext,
  job: JobRow,
  worker: string,
  epoch: number,
): Promise<Claim> {
  const { queue, pos } = job;
  await leaveReady(at, queue, [pos]);
  const [facts] = await at.session.all<RawClaim>(claimFacts(at.dialect), { pos });
  const claim = claimOf(facts as RawClaim, queue, worker, at.now, true);
  await at.session.run(startOne(at.dialect), { pos, worker, fence: claim.fence, now: at.now });
  await at.session.run(addClaim(at.dialect), { queue, epoch, worker, now: at.now, positions: String(pos) });
  return claim;
}
