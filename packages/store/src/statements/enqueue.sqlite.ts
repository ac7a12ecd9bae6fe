import { type LaneId, type LineJob, lanesOf, type NewJob, type Placed } from "@andon/engine";
import type { SyncSession } from "../sqlite/session.ts";

/*
 * Row by row through prepared statements; jobs without lanes go together, and one statement makes them all ready.
 * SQLite has no data-modifying CTEs, and a set-based update of lanes by json_each has a tenth of the speed (4.4k
 * lanes/s). A `returning` would cost a table of its own per statement, so rows are read and written instead (a keyed
 * job: 8.9 µs instead of 9.8).
 */
/** The length of a UUID, which every id is. */
const ID_LENGTH = 36;
const LAST_NUMBER = "select last from andon_job_numbers";
const SET_LAST_NUMBER = "update andon_job_numbers set last = ?1";
const LANE = "select next_seq, head_seq, held_at from andon_lanes where queue = ?1 and lane_key = ?2";
const NEW_LANE =
  "insert into andon_lanes (queue, lane_key, next_seq, head_seq, depth) values (?1, ?2, 1, 1, 1)";
const LONGER_LANE = `update andon_lanes set next_seq = ?3, head_seq = ?4, depth = depth + 1
where queue = ?1 and lane_key = ?2`;
const LEFT_LANE = "update andon_lanes set gone = gone + 1 where queue = ?1 and lane_key = ?2";
const LANE_JOB = "insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes) values (?1, ?2, ?3, ?4, ?5)";
const JOB = `insert into andon_jobs
  (pos, id, queue, name, tenant, lane_keys, seq, rank, payload, waits, run_at, created_at, trace_id, share, organization, stages, stage)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)`;
/**
 * Jobs that differ only in id and payload go as one JSON list of texts, each an id followed by its payload: 1.0 µs each
 * instead of 1.3 with ten rows per statement and a parameter per value.
 */
const JOBS_ALIKE = `insert into andon_jobs (pos, queue, name, tenant, created_at, trace_id, share, organization, rank, id, payload)
select ?1 + e.key, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, substr(e.value, 1, ${ID_LENGTH}), substr(e.value, ${ID_LENGTH} + 1) from json_each(?10) e`;
/** Fewer are inserted one by one. */
const LEAST_ALIKE = 4;
const MOST_ALIKE_CHARACTERS = 1_000_000;
const TIMER = "insert into andon_timers (pos, queue, due_at, kind) values (?1, ?2, ?3, 'later')";
const READY = `insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, share, stage from andon_jobs where pos between ?1 and ?2 and lane_keys is null and run_at is null`;
const READY_ONE = "insert into andon_ready (queue, rank, pos, share, stage) values (?1, ?2, ?3, ?4, ?5)";
const SET_PLACE = "update andon_jobs set waits = ?2, seq = ?3 where pos = ?1";
const TALLY =
  "insert into andon_tallies (queue, ready, blocked, scheduled, at, added) values (?1, ?2, ?3, ?4, ?5, ?6)";

/** For packages/store/queries. */
export const enqueueTexts = {
  "enqueue-last_number": LAST_NUMBER,
  "enqueue-set_last_number": SET_LAST_NUMBER,
  "enqueue-lane": LANE,
  "enqueue-new_lane": NEW_LANE,
  "enqueue-longer_lane": LONGER_LANE,
  "enqueue-left_lane": LEFT_LANE,
  "enqueue-lane_job": LANE_JOB,
  "enqueue-job": JOB,
  "enqueue-jobs_alike": JOBS_ALIKE,
  "enqueue-timer": TIMER,
  "enqueue-ready": READY,
  "enqueue-ready_one": READY_ONE,
  "enqueue-set_place": SET_PLACE,
  "enqueue-tally": TALLY,
};

export function enqueueSqlite(
  session: SyncSession,
  queue: string,
  jobs: readonly NewJob[],
  now: number,
): Placed[] {
  const first = (session.prepare(LAST_NUMBER).get() as { last: number }).last + 1;
  const last = first + jobs.length - 1;
  session.prepare(SET_LAST_NUMBER).run(last);
  const placed: Placed[] = [];
  const counts = { ready: 0, blocked: 0, scheduled: 0 };
  while (placed.length < jobs.length) {
    const from = placed.length;
    const pos = first + from;
    const job = jobs[from] as NewJob;
    const alike = countAlike(jobs, from);
    if (alike >= LEAST_ALIKE) {
      insertAlike(session, queue, jobs.slice(from, from + alike), pos, now);
      counts.ready += alike;
      for (let n = 0; n < alike; n++) placed.push(place(jobs[from + n] as NewJob, pos + n, null));
    } else {
      const { state, seq } = insertOne(session, queue, job, pos, now);
      counts[state]++;
      placed.push(place(job, pos, seq));
    }
  }
  if (counts.ready > 0) session.prepare(READY).run(first, last);
  session.prepare(TALLY).run(queue, counts.ready, counts.blocked, counts.scheduled, now, jobs.length);
  return placed;
}

function place(job: NewJob, pos: number, seq: number | null): Placed {
  return { id: job.id, ticket: String(pos), isNew: true, seq };
}

/** How many jobs from this one on fit into one statement. */
function countAlike(jobs: readonly NewJob[], from: number): number {
  const model = jobs[from] as NewJob;
  let characters = 0;
  let at = from;
  for (; at < jobs.length && characters < MOST_ALIKE_CHARACTERS; at++) {
    const job = jobs[at] as NewJob;
    if (job.lanes.length > 0 || job.runAt !== null || job.stages !== null) break;
    const same =
      job.name === model.name &&
      job.tenant === model.tenant &&
      job.share === model.share &&
      job.organization === model.organization &&
      job.priority === model.priority &&
      job.traceId === model.traceId;
    if (!same) break;
    characters += job.payload.length;
  }
  return at - from;
}

function insertAlike(session: SyncSession, queue: string, jobs: readonly NewJob[], pos: number, now: number) {
  const { name, tenant, traceId, share, organization, priority } = jobs[0] as NewJob;
  const texts = JSON.stringify(jobs.map(({ id, payload }) => id + payload));
  session
    .prepare(JOBS_ALIKE)
    .run(pos, queue, name, tenant, now, traceId, share, organization, 0 - priority, texts);
}

function insertOne(
  session: SyncSession,
  queue: string,
  job: NewJob,
  pos: number,
  now: number,
): { state: "ready" | "blocked" | "scheduled"; seq: number | null } {
  const { id, name, tenant, organization, payload, runAt, traceId, share } = job;
  const [stages, stage] = job.stages ? [JSON.stringify(job.stages), job.stages[0]] : [null, null];
  const later = runAt !== null;
  const { waits, seq } = later ? { waits: 0, seq: null } : enterLanes(session, queue, pos, job.lanes);
  const keys = job.lanes.length > 0 ? JSON.stringify(job.lanes) : null;
  const counter = job.lanes.length > 1 ? waits : 0;
  const rank = 0 - job.priority;
  session
    .prepare(JOB)
    .run(
      pos,
      id,
      queue,
      name,
      tenant,
      keys,
      seq,
      rank,
      payload,
      counter,
      runAt,
      now,
      traceId,
      share,
      organization,
      stages,
      stage,
    );
  if (later) session.prepare(TIMER).run(pos, queue, runAt);
  if (later) return { state: "scheduled", seq };
  if (waits > 0) return { state: "blocked", seq };
  if (keys !== null) session.prepare(READY_ONE).run(queue, rank, pos, share, stage);
  return { state: "ready", seq };
}

function enterLanes(session: SyncSession, queue: string, pos: number, lanes: readonly LaneId[]) {
  let waits = 0;
  let first: number | null = null;
  for (const lane of lanes) {
    const { seq, head } = drawPlace(session, queue, lane);
    session.prepare(LANE_JOB).run(queue, lane, seq, pos, lanes.length);
    if (seq !== head) waits++;
    first ??= seq;
  }
  return { waits, seq: first };
}

/** Jobs that are already stored join their lanes. */
export function joinLanesSqlite(session: SyncSession, queue: string, jobs: readonly LineJob[]): void {
  const setPlace = session.prepare(SET_PLACE);
  for (const job of jobs) {
    const { pos, seq: left } = job;
    const lanes = lanesOf(job);
    const { waits, seq } = enterLanes(session, queue, pos, lanes);
    setPlace.run(pos, lanes.length > 1 ? waits : 0, seq);
    if (left !== null) for (const lane of lanes) session.prepare(LEFT_LANE).run(queue, lane);
  }
}

/**
 * The next place of a lane, and the place that the lane lets through: the new one if the lane is open and has no head.
 */
function drawPlace(session: SyncSession, queue: string, id: LaneId): { seq: number; head: number } {
  const lane = session.prepare(LANE).get(queue, id) as
    | { next_seq: number; head_seq: number; held_at: number | null }
    | undefined;
  if (!lane) {
    session.prepare(NEW_LANE).run(queue, id);
    return { seq: 1, head: 1 };
  }
  const seq = lane.next_seq + 1;
  const head = lane.head_seq === 0 && lane.held_at === null ? seq : lane.head_seq;
  session.prepare(LONGER_LANE).run(queue, id, seq, head);
  return { seq, head };
}
