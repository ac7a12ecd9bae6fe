import type { QueueState } from "@andon/contract";
import type { Completion, TurnRequest, TurnResult } from "@andon/engine";
import type { SyncSession } from "../sqlite/session.ts";
import { type Ended, endClaims, finishTexts } from "./finish.sqlite.ts";
import { CLAIM_COLUMNS, claimOf, type RawClaim } from "./job-row.ts";

/*
 * Finish and claim on SQLite: prepared statements row by row inside one `begin immediate`. What is claimed is always
 * the front of the queue's index, because nobody else can be inside; so one range delete takes it out.
 */
const TALLY = "insert into andon_tallies (queue, blocked, ready, running, done) values (?1, ?2, ?3, ?4, ?5)";
const TURN = `insert into andon_turns (queue, epoch, worker, at, claimed, done, started, finished) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`;
const GATE = "select state, epoch from andon_queues where name = ?1";
const RUNNING = "select count(*) as running from andon_running where queue = ?1";
const BACKOFF = "select 1 from andon_timers where queue = ?1 and kind = 'backoff' limit 1";
/*
 * A limit that is a bare parameter makes SQLite plan the statement again for every value that is bound to it: 14 µs when
 * the code is warm, 40 µs after a wait for the disk, in every turn. An expression is left alone.
 */
const PICK = `select ${CLAIM_COLUMNS}, j.fence + 1 as fence
from andon_ready r cross join andon_jobs j on j.pos = r.pos
where r.queue = ?1 order by r.rank, r.pos limit ?2 + 0`;
const RECENT = `select coalesce(sum(claimed), 0) as started, min(at) as first from (
  select claimed, at from andon_turns where queue = ?1 and claimed > 0 order by id desc limit ?2 + 0
) where at > ?3`;
/** Claims that were stamped before the clock was set back would count until it has caught up with them. */
const SET_BACK = `update andon_turns set at = ?3 where id in (
  select id from (
    select id, at from andon_turns where queue = ?1 and claimed > 0 order by id desc limit ?2 + 0
  ) where at > ?4
)`;
const RUNNING_SHARES = `select share, count(*) as running from andon_running
where queue = ?1 and share is not null group by share`;
const NEXT_SHARE = "select share from andon_ready where queue = ?1 and share > ?2 order by share limit 1";
const PICK_SHARE = `select ${CLAIM_COLUMNS}, j.fence + 1 as fence
from andon_ready r cross join andon_jobs j on j.pos = r.pos
where r.queue = ?1 and r.share = ?2 order by r.rank, r.pos limit ?3 + 0`;
const TAKE_ONE = "delete from andon_ready where queue = ?1 and rank = ?2 and pos = ?3";
const TAKE = "delete from andon_ready where queue = ?1 and (rank, pos) <= (?2, ?3)";
const START =
  "insert into andon_running (pos, queue, worker, fence, started_at, share) values (?1, ?2, ?3, ?4, ?5, ?6)";

/** For packages/store/queries. */
export const turnTexts = {
  ...finishTexts,
  "turn-tally": TALLY,
  "turn-turn": TURN,
  "turn-gate": GATE,
  "turn-running": RUNNING,
  "turn-backoff": BACKOFF,
  "turn-pick": PICK,
  "turn-take": TAKE,
  "turn-recent": RECENT,
  "turn-set_back": SET_BACK,
  "turn-running_shares": RUNNING_SHARES,
  "turn-next_share": NEXT_SHARE,
  "turn-pick_share": PICK_SHARE,
  "turn-take_one": TAKE_ONE,
  "turn-start": START,
};

export function turnSqlite(session: SyncSession, request: TurnRequest, now: number): TurnResult {
  const { queue, worker } = request;
  const ended = endClaims(session, queue, worker, request.done, now);
  const gate = session.prepare(GATE).get(queue) as { state: QueueState; epoch: number };
  const { most, lookAgainAt } = isReplacing(request, ended)
    ? { most: request.want, lookAgainAt: null }
    : mostToClaim(session, request, now);
  const claimed = gate.state === "open" && most > 0 ? claim(session, request, most, now) : [];
  record(session, request, now, gate.epoch, ended, claimed);
  return {
    refused: ended.refused,
    deferred: [],
    claims: claimed.map((row) => claimOf(row, queue, worker, now)),
    queueState: gate.state,
    lookAgainAt,
    doubt: null,
  };
}

/** Completes one job inside somebody else's transaction; false where its claim no longer stands. */
export function finishSqlite(
  session: SyncSession,
  queue: string,
  worker: string,
  done: Completion,
  now: number,
): boolean {
  const ended = endClaims(session, queue, worker, [done], now);
  record(session, { queue, worker }, now, null, ended, []);
  return ended.refused.length === 0;
}

/** One row of the ledger and one of the counts per turn, whatever it did. */
function record(
  session: SyncSession,
  { queue, worker }: { queue: string; worker: string },
  now: number,
  epoch: number | null,
  { finished, admitted }: Ended,
  claimed: readonly RawClaim[],
): void {
  const [done, started] = [finished.length, claimed.length];
  if (done + started === 0) return;
  session.prepare(TALLY).run(queue, -admitted, admitted - started, started - done, done);
  const startedList = started > 0 ? claimed.map((row) => row.pos).join(",") : null;
  session
    .prepare(TURN)
    .run(queue, epoch, worker, now, started, done, startedList, done > 0 ? finished.join(",") : null);
}

/**
 * A turn that claims no more than it finished keeps a limit by itself. Of a serial line nothing else can be running or
 * waiting out a back-off while this worker's claim stood.
 */
function isReplacing({ rate, sharing, want }: TurnRequest, { finished }: Ended): boolean {
  return rate === null && sharing === null && want <= finished.length;
}

/** How many the limits leave, and when the rate allows the next one. */
function mostToClaim(
  session: SyncSession,
  request: TurnRequest,
  now: number,
): { most: number; lookAgainAt: number | null } {
  const { queue, limit, rate, want } = request;
  if (request.serial && session.prepare(BACKOFF).get(queue)) return { most: 0, lookAgainAt: null };
  let most = want;
  if (limit !== null) {
    const { running } = session.prepare(RUNNING).get(queue) as { running: number };
    most = Math.min(most, limit - running);
  }
  if (rate === null) return { most, lookAgainAt: null };
  session.prepare(SET_BACK).run(queue, rate.max, now, now + rate.lead);
  const recent = session.prepare(RECENT).get(queue, rate.max, now - rate.duration) as {
    started: number;
    first: number | null;
  };
  const left = rate.max - recent.started;
  const lookAgainAt = left < want ? (recent.first ?? now) + rate.duration : null;
  return { most: Math.min(most, left), lookAgainAt };
}

function claim(session: SyncSession, request: TurnRequest, most: number, now: number): RawClaim[] {
  const { queue, worker, sharing } = request;
  const rows = sharing
    ? pickFromShares(session, queue, most, sharing.most)
    : pickFromLine(session, queue, most);
  const start = session.prepare(START);
  for (const row of rows) start.run(row.pos, queue, worker, row.fence, now, row.share);
  return rows;
}

function pickFromLine(session: SyncSession, queue: string, most: number): RawClaim[] {
  const rows = session.prepare(PICK).all(queue, most) as RawClaim[];
  const last = rows.at(-1);
  if (last) session.prepare(TAKE).run(queue, last.rank, last.pos);
  return rows;
}

/** The next place goes to the share that would then run the fewest jobs; among equals to the one that waits longest. */
function pickFromShares(
  session: SyncSession,
  queue: string,
  most: number,
  mostPerShare: number | null,
): RawClaim[] {
  const running = new Map<string, number>();
  for (const row of session.prepare(RUNNING_SHARES).all(queue) as { share: string; running: number }[]) {
    running.set(row.share, row.running);
  }
  const candidates: { row: RawClaim; turn: number }[] = [];
  let next = session.prepare(NEXT_SHARE).get(queue, "") as { share: string } | undefined;
  for (; next; next = session.prepare(NEXT_SHARE).get(queue, next.share) as { share: string } | undefined) {
    const before = running.get(next.share) ?? 0;
    const room = Math.min(most, (mostPerShare ?? Number.POSITIVE_INFINITY) - before);
    if (room <= 0) continue;
    const rows = session.prepare(PICK_SHARE).all(queue, next.share, room) as RawClaim[];
    for (const [index, row] of rows.entries()) candidates.push({ row, turn: before + index });
  }
  const front = session.prepare(PICK).all(queue, most) as RawClaim[];
  for (const row of front) if (row.share === null) candidates.push({ row, turn: -1 });
  candidates.sort((a, b) => a.turn - b.turn || a.row.rank - b.row.rank || a.row.pos - b.row.pos);
  const rows = candidates.slice(0, most).map((candidate) => candidate.row);
  const take = session.prepare(TAKE_ONE);
  for (const row of rows) take.run(queue, row.rank, row.pos);
  return rows;
}
