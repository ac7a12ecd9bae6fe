import type { Advance, Completion, LaneId } from "@andon/engine";
import type { SyncSession } from "../sqlite/session.ts";

/*
 * The end of claims on SQLite, row by row. Values that a completion carries (when its claim was written, its place in
 * its lane) are not read again: a `returning` costs SQLite a table of its own per statement, about 1 µs, and finding
 * the place by the job's number 3 µs. Without both, a request over 1,000 keys takes 14.5 µs per job instead of 21.
 */
const END = `delete from andon_running
where queue = ?4 and pos = ?1 and fence = ?2 and worker = ?3 and cancel_actor is null`;
/** A job with a pending abort does not continue: the verb that gives it back carries out the abort. */
const END_STAGE = `${END} and not exists (select 1 from andon_abort_wishes w where w.pos = ?1)`;
const SAVE_AND = (progress: string) =>
  `update andon_jobs set state = 'done', fence = ?2, stalled = 0, worker = ?3, started_at = ?4,
  finished_at = ?5, result = ?6, error_code = null, error_message = null, fingerprint = null${progress} where pos = ?1`;
/** Few jobs report progress; the others do not pay for it. */
const SAVE = SAVE_AND("");
const SAVE_WITH_PROGRESS = SAVE_AND(", progress = ?7");
const ADVANCE_AND = (
  progress: string,
) => `update andon_jobs set stage = ?2, outputs = ?3, fence = ?4, attempts = 0, stalled = 0,
  cursor = null, stage_started_at = null, stage_elapsed = null, error_code = null, error_message = null, fingerprint = null${progress}
where pos = ?1`;
const ADVANCE_STAGE = ADVANCE_AND("");
const ADVANCE_WITH_PROGRESS = ADVANCE_AND(", progress = ?5");
const KEEP_STAGE = `insert into andon_stages (pos, number, fence, name, status, attempts, elapsed, started_at, finished_at)
values (?1, ?2, ?3, ?4, 'completed', ?5, ?6, ?7, ?8)
on conflict (pos, number) do update set fence = excluded.fence, status = excluded.status, attempts = excluded.attempts,
  elapsed = excluded.elapsed, started_at = excluded.started_at, finished_at = excluded.finished_at`;
const READY_AGAIN = `insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, share, stage from andon_jobs where pos = ?1`;
const LEAVE = "delete from andon_lane_jobs where queue = ?1 and lane_key = ?2 and seq = ?3";
const LEAVE_ALL = "delete from andon_lane_jobs where pos = ?1 returning lane_key, seq";
/** The job after `?3` becomes ready, if the lane is not held and the job is in no other lane. */
const ADMIT_NEXT = `insert into andon_ready (queue, rank, pos, share, stage)
select ?1, j.rank, j.pos, j.share, j.stage from (
  select pos, lanes from andon_lane_jobs where queue = ?1 and lane_key = ?2 and seq > ?3 order by seq limit 1
) m cross join andon_jobs j on j.pos = m.pos
where m.lanes = 1 and (select held_at from andon_lanes where queue = ?1 and lane_key = ?2) is null`;
const ADVANCE = `update andon_lanes set depth = depth - 1,
  head_seq = case when held_at is null then coalesce((
    select min(seq) from andon_lane_jobs n where n.queue = ?1 and n.lane_key = ?2 and n.seq > ?3
  ), 0) else 0 end
where queue = ?1 and lane_key = ?2`;
/** The head of a lane that has let it through, if the job is also in other lanes. */
const LET_THROUGH = `update andon_jobs set waits = waits - 1 where pos = (
  select m.pos from andon_lanes l
  join andon_lane_jobs m on m.queue = l.queue and m.lane_key = l.lane_key and m.seq = l.head_seq
  where l.queue = ?1 and l.lane_key = ?2 and m.lanes > 1
) returning pos, rank, share, stage, waits`;
const READY = "insert into andon_ready (queue, rank, pos, share, stage) values (?1, ?2, ?3, ?4, ?5)";

/** For packages/store/queries. */
export const finishTexts = {
  "claim-log-end": END,
  "claim-log-end_stage": END_STAGE,
  "claim-log-save": SAVE,
  "claim-log-save_with_progress": SAVE_WITH_PROGRESS,
  "claim-log-leave": LEAVE,
  "claim-log-leave_all": LEAVE_ALL,
  "claim-log-admit_next": ADMIT_NEXT,
  "claim-log-advance": ADVANCE,
  "claim-log-let_through": LET_THROUGH,
  "claim-log-ready": READY,
  "claim-log-advance_stage": ADVANCE_STAGE,
  "claim-log-advance_with_progress": ADVANCE_WITH_PROGRESS,
  "claim-log-keep_stage": KEEP_STAGE,
  "claim-log-ready_again": READY_AGAIN,
};

/** The place of a job in the line of its next stage. */
export interface Advanced {
  readonly pos: number;
  readonly rank: number;
  readonly stage: string;
}

export interface Ended {
  /** Positions whose claim is no longer valid. */
  readonly refused: number[];
  readonly finished: number[];
  /** Jobs that continue in their next stage; they are in no line yet. */
  readonly advanced: readonly Advanced[];
  /** How many jobs became ready because these left their lanes. */
  readonly admitted: number;
}

export function endClaims(
  session: SyncSession,
  queue: string,
  worker: string,
  completions: readonly Completion[],
  now: number,
): Ended {
  const refused: number[] = [];
  const finished: number[] = [];
  let admitted = 0;
  const advanced: Advanced[] = [];
  const save = session.prepare(SAVE);
  for (const completion of completions) {
    const { pos, fence, lanes, seq, startedAt, result, progress } = completion;
    const end = session.prepare(completion.advance ? END_STAGE : END);
    if (end.run(pos, fence, worker, queue).changes === 0) {
      refused.push(pos);
      continue;
    }
    if (completion.advance) {
      advanceStage(session, completion, completion.advance, now);
      advanced.push({ pos, rank: 0 - completion.advance.priority, stage: completion.advance.stage });
      continue;
    }
    if (progress === null) save.run(pos, fence, worker, startedAt, now, result);
    else session.prepare(SAVE_WITH_PROGRESS).run(pos, fence, worker, startedAt, now, result, progress);
    if (lanes.length === 1) admitted += leaveLane(session, queue, lanes[0] as LaneId, seq);
    else if (lanes.length > 1) admitted += leaveLanes(session, queue, pos);
    finished.push(pos);
  }
  return { refused, finished, admitted, advanced };
}

/** Puts jobs in the line of their next stage, at the place that they drew when they were added. */
export function lineUp(session: SyncSession, advanced: readonly Advanced[]): void {
  const readyAgain = session.prepare(READY_AGAIN);
  for (const { pos } of advanced) readyAgain.run(pos);
}

/** The job continues in its next stage; it has no lanes. */
function advanceStage(
  session: SyncSession,
  { pos, fence, startedAt, progress }: Completion,
  { stage, outputs, number, name, attempts, elapsedBefore, firstStartedAt }: Advance,
  now: number,
): void {
  if (progress === null) session.prepare(ADVANCE_STAGE).run(pos, stage, outputs, fence);
  else session.prepare(ADVANCE_WITH_PROGRESS).run(pos, stage, outputs, fence, progress);
  const elapsed = elapsedBefore + Math.max(0, now - startedAt);
  session.prepare(KEEP_STAGE).run(pos, number, fence, name, attempts, elapsed, firstStartedAt, now);
}

function leaveLane(session: SyncSession, queue: string, key: string, seq: number | null): number {
  const left = session.prepare(LEAVE).run(queue, key, seq).changes === 1;
  return left ? letNextThrough(session, queue, key, seq) : 0;
}

function leaveLanes(session: SyncSession, queue: string, pos: number): number {
  let admitted = 0;
  const left = session.prepare(LEAVE_ALL).all(pos) as { lane_key: string; seq: number }[];
  for (const { lane_key: key, seq } of left) admitted += letNextThrough(session, queue, key, seq);
  return admitted;
}

/** Returns how many jobs became ready: one or none. */
function letNextThrough(session: SyncSession, queue: string, key: string, seq: number | null): number {
  const isReady = session.prepare(ADMIT_NEXT).run(queue, key, seq).changes === 1;
  session.prepare(ADVANCE).run(queue, key, seq);
  if (isReady) return 1;
  const next = session.prepare(LET_THROUGH).get(queue, key) as
    | { pos: number; rank: number; share: string | null; stage: string | null; waits: number }
    | undefined;
  if (next?.waits !== 0) return 0;
  session.prepare(READY).run(queue, next.rank, next.pos, next.share, next.stage);
  return 1;
}
