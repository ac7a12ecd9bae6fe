import type { Completion } from "@andon/engine";
import type { SyncSession } from "../sqlite/session.ts";

/*
 * The end of claims on SQLite, row by row. What a completion brings along (when its claim was written, its place in its
 * lane) is not asked for again: a `returning` costs SQLite a table of its own per statement, about 1 µs, and finding
 * the place by the job's number 3 µs; without both, a turn over 1,000 keys takes 14.5 µs per job instead of 21.
 */
const END = `delete from andon_running
where queue = ?4 and pos = ?1 and fence = ?2 and worker = ?3 and cancel_actor is null`;
const SAVE_AND = (progress: string) =>
  `update andon_jobs set state = 'done', fence = ?2, stalled = 0, worker = ?3, started_at = ?4,
  finished_at = ?5, result = ?6, error_code = null, error_message = null, fingerprint = null${progress} where pos = ?1`;
/** Few jobs tell of progress, and the others do not pay for it. */
const SAVE = SAVE_AND("");
const SAVE_WITH_PROGRESS = SAVE_AND(", progress = ?7");
const LEAVE = "delete from andon_lane_jobs where queue = ?1 and lane_key = ?2 and seq = ?3";
const LEAVE_ALL = "delete from andon_lane_jobs where pos = ?1 returning lane_key, seq";
/** Who stands behind `?3` goes in line, if the lane is not held and no other lane has a say. */
const ADMIT_NEXT = `insert into andon_ready (queue, rank, pos, share)
select ?1, j.rank, j.pos, j.share from (
  select pos, lanes from andon_lane_jobs where queue = ?1 and lane_key = ?2 and seq > ?3 order by seq limit 1
) m cross join andon_jobs j on j.pos = m.pos
where m.lanes = 1 and (select held_at from andon_lanes where queue = ?1 and lane_key = ?2) is null`;
const ADVANCE = `update andon_lanes set depth = depth - 1,
  head_seq = case when held_at is null then coalesce((
    select min(seq) from andon_lane_jobs n where n.queue = ?1 and n.lane_key = ?2 and n.seq > ?3
  ), 0) else 0 end
where queue = ?1 and lane_key = ?2`;
/** The head of a lane, if it has let somebody through who stands in other lanes, too. */
const LET_THROUGH = `update andon_jobs set waits = waits - 1 where pos = (
  select m.pos from andon_lanes l
  join andon_lane_jobs m on m.queue = l.queue and m.lane_key = l.lane_key and m.seq = l.head_seq
  where l.queue = ?1 and l.lane_key = ?2 and m.lanes > 1
) returning pos, rank, share, waits`;
const READY = "insert into andon_ready (queue, rank, pos, share) values (?1, ?2, ?3, ?4)";

/** For packages/store/queries. */
export const finishTexts = {
  "turn-end": END,
  "turn-save": SAVE,
  "turn-save_with_progress": SAVE_WITH_PROGRESS,
  "turn-leave": LEAVE,
  "turn-leave_all": LEAVE_ALL,
  "turn-admit_next": ADMIT_NEXT,
  "turn-advance": ADVANCE,
  "turn-let_through": LET_THROUGH,
  "turn-ready": READY,
};

export interface Ended {
  /** Positions whose claim no longer stood. */
  readonly refused: number[];
  readonly finished: number[];
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
  const end = session.prepare(END);
  const save = session.prepare(SAVE);
  for (const { pos, fence, keys, seq, startedAt, result, progress } of completions) {
    if (end.run(pos, fence, worker, queue).changes === 0) {
      refused.push(pos);
      continue;
    }
    if (progress === null) save.run(pos, fence, worker, startedAt, now, result);
    else session.prepare(SAVE_WITH_PROGRESS).run(pos, fence, worker, startedAt, now, result, progress);
    if (keys.length === 1) admitted += leaveLane(session, queue, keys[0] as string, seq);
    else if (keys.length > 1) admitted += leaveLanes(session, queue, pos);
    finished.push(pos);
  }
  return { refused, finished, admitted };
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
    | { pos: number; rank: number; share: string | null; waits: number }
    | undefined;
  if (next?.waits !== 0) return 0;
  session.prepare(READY).run(queue, next.rank, next.pos, next.share);
  return 1;
}
