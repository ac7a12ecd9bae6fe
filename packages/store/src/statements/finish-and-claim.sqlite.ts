import type { Completion, FinishAndClaimRequest, FinishAndClaimResult } from "@andon/engine";
import type { SyncSession } from "../sqlite/session.ts";
import {
  type Candidate,
  claimSharesTexts,
  inSharesOf,
  inTurn,
  noteServed,
  runningShares,
} from "./claim-shares.sqlite.ts";
import { type Advanced, type Ended, endClaims, finishTexts, lineUp } from "./finish.sqlite.ts";
import { CLAIM_COLUMNS, claimOf, type RawClaim, rawClaimOf } from "./job-row.ts";

/*
 * Finish and claim on SQLite: prepared statements row by row inside one `begin immediate`. No other writer can be
 * active, so a claim always takes the front of the queue's index, with one range delete.
 */
const TALLY =
  "insert into andon_tallies (queue, blocked, ready, running, done, at) values (?1, ?2, ?3, ?4, ?5, ?6)";
const CLAIM_LOG_ENTRY = `insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`;
const GATE = "select state, epoch from andon_queues where name = ?1";
const RUNNING = "select count(*) as running from andon_running where queue = ?1";
const BACKOFF = "select 1 from andon_timers where queue = ?1 and kind = 'backoff' limit 1";
/*
 * With a bare parameter as limit SQLite plans the statement again for every value bound to it: 14 µs when the code is
 * warm, 40 µs after a wait for the disk, per request. An expression avoids that.
 */
const PICK = `select ${CLAIM_COLUMNS}, j.fence + 1 as fence
from andon_ready r cross join andon_jobs j on j.pos = r.pos
where r.queue = ?1 order by r.rank, r.pos limit ?2 + 0`;
const RECENT = `select coalesce(sum(claimed), 0) as started, min(at) as first from (
  select claimed, at from andon_claim_log where queue = ?1 and claimed > 0 order by id desc limit ?2 + 0
) where at > ?3`;
/** Claims stamped before the clock was set back would count until the clock has caught up with them. */
const SET_BACK = `update andon_claim_log set at = ?3 where id in (
  select id from (
    select id, at from andon_claim_log where queue = ?1 and claimed > 0 order by id desc limit ?2 + 0
  ) where at > ?4
)`;
/** Jobs that were added without a share or a stage, by a process that does not know the queue's rules. */
const FRONT_WITHOUT = (column: "share" | "stage") => `select rank, pos, share, stage from (
  select rank, pos, share, stage from andon_ready where queue = ?1 order by rank, pos limit ?2 + 0
) where ${column} is null`;
const FRONT_WITHOUT_SHARE = FRONT_WITHOUT("share");
const FRONT_WITHOUT_STAGE = FRONT_WITHOUT("stage");
/** All at once, in the order of the list: each call that returns rows builds its column names again. */
const CLAIM_LISTED = `select ${CLAIM_COLUMNS}, j.fence + 1 as fence
from json_each(?1) e cross join andon_jobs j on j.pos = e.value`;
const RUNNING_STAGES = `select stage, count(*) as running from andon_running
where queue = ?1 and stage is not null group by stage`;
const NEXT_STAGE = "select stage from andon_ready where queue = ?1 and stage > ?2 order by stage limit 1";
const FRONT_OF_STAGE = `select rank, pos from andon_ready
where queue = ?1 and stage = ?2 order by rank, pos limit ?3 + 0`;
const TAKE_ONE = "delete from andon_ready where queue = ?1 and rank = ?2 and pos = ?3";
const TAKE = "delete from andon_ready where queue = ?1 and (rank, pos) <= (?2, ?3)";
const START =
  "insert into andon_running (pos, queue, worker, fence, started_at, share, stage) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

/** For packages/store/queries. */
export const finishAndClaimTexts = {
  ...finishTexts,
  ...claimSharesTexts,
  "claim-log-tally": TALLY,
  "claim-log-entry": CLAIM_LOG_ENTRY,
  "claim-log-gate": GATE,
  "claim-log-running": RUNNING,
  "claim-log-backoff": BACKOFF,
  "claim-log-pick": PICK,
  "claim-log-take": TAKE,
  "claim-log-recent": RECENT,
  "claim-log-set_back": SET_BACK,
  "claim-log-front_without_share": FRONT_WITHOUT_SHARE,
  "claim-log-front_without_stage": FRONT_WITHOUT_STAGE,
  "claim-log-claim_listed": CLAIM_LISTED,
  "claim-log-take_one": TAKE_ONE,
  "claim-log-running_stages": RUNNING_STAGES,
  "claim-log-next_stage": NEXT_STAGE,
  "claim-log-front_of_stage": FRONT_OF_STAGE,
  "claim-log-start": START,
};

export function finishAndClaimSqlite(
  session: SyncSession,
  request: FinishAndClaimRequest,
  now: number,
): FinishAndClaimResult {
  const { queue, worker } = request;
  const ended = endClaims(session, queue, worker, request.done, now);
  const gate = session.prepare(GATE).get(queue) as {
    state: FinishAndClaimResult["queueState"];
    epoch: number;
  };
  const { most, lookAgainAt } = isReplacing(request, ended)
    ? { most: request.want, lookAgainAt: null }
    : mostToClaim(session, request, now);
  const isOpen = gate.state === "open" && most > 0;
  const inHand = isOpen && mayGoOn(request) ? ended.advanced : [];
  if (inHand.length === 0) lineUp(session, ended.advanced);
  const claimed = isOpen ? claim(session, request, most, now, inHand) : [];
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

/** Completes one job inside a caller's transaction; false if its claim is no longer valid. */
export function finishSqlite(
  session: SyncSession,
  queue: string,
  worker: string,
  done: Completion,
  now: number,
): boolean {
  const ended = endClaims(session, queue, worker, [done], now);
  lineUp(session, ended.advanced);
  record(session, { queue, worker }, now, null, ended, []);
  return ended.refused.length === 0;
}

/** One row of the claim log and one of the counts per request, whatever it did. */
function record(
  session: SyncSession,
  { queue, worker }: { queue: string; worker: string },
  now: number,
  epoch: number | null,
  { finished, admitted, advanced }: Ended,
  claimed: readonly RawClaim[],
): void {
  const [done, started] = [finished.length, claimed.length];
  const moved = advanced.length;
  if (done + started + moved === 0) return;
  session.prepare(TALLY).run(queue, -admitted, admitted + moved - started, started - done - moved, done, now);
  if (done + started === 0) return;
  const startedList = started > 0 ? claimed.map((row) => row.pos).join(",") : null;
  session
    .prepare(CLAIM_LOG_ENTRY)
    .run(queue, epoch, worker, now, started, done, startedList, done > 0 ? finished.join(",") : null);
}

/**
 * A request that claims no more than it finished cannot exceed a limit. In a serial line nothing else can be running or
 * in back-off while this worker's claim is valid.
 */
function isReplacing(
  { rate, sharing, stageLimits, want }: FinishAndClaimRequest,
  { finished }: Ended,
): boolean {
  return rate === null && sharing === null && !stageLimits && want <= finished.length;
}

/**
 * Whether a job may continue with its next stage without standing in line, if a place is free there. With fair shares
 * it may not: the turn of each share is counted in the line.
 */
function mayGoOn({ stageLimits, sharing }: FinishAndClaimRequest): boolean {
  return Boolean(stageLimits) && sharing === null;
}

/** How many jobs the limits allow, and when the rate allows the next one. */
function mostToClaim(
  session: SyncSession,
  request: FinishAndClaimRequest,
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

/** `inHand`: jobs that are ready without being in the line. */
function claim(
  session: SyncSession,
  request: FinishAndClaimRequest,
  most: number,
  now: number,
  inHand: readonly Advanced[],
): RawClaim[] {
  const { queue, worker, sharing, hasStages, stageLimits } = request;
  const rows =
    stageLimits || (sharing && hasStages)
      ? pickFromStages(session, request, most, inHand)
      : sharing
        ? pickFromShares(session, queue, most, sharing.most)
        : pickFromLine(session, queue, most);
  const start = session.prepare(START);
  for (const row of rows) start.run(row.pos, queue, worker, row.fence, now, row.share, row.stage);
  return rows;
}

function pickFromLine(session: SyncSession, queue: string, most: number): RawClaim[] {
  const rows = session.arrays(PICK, queue, most).map(rawClaimOf);
  const last = rows.at(-1);
  if (last) session.prepare(TAKE).run(queue, last.rank, last.pos);
  return rows;
}

/** Jobs that count in no share or stage go first. */
const FIRST_TURN = -1;

/** The next place goes to the share that would then run the fewest jobs; among equals to the one served longest ago. */
function pickFromShares(
  session: SyncSession,
  queue: string,
  most: number,
  mostPerShare: number | null,
): RawClaim[] {
  const running = runningShares(session, queue);
  const room = (share: string) => (mostPerShare ?? Number.POSITIVE_INFINITY) - (running.get(share) ?? 0);
  const candidates = [
    ...inSharesOf(session, { queue, stage: null }, most, running, room),
    ...candidatesWithout(session, FRONT_WITHOUT_SHARE, queue, most),
  ];
  candidates.sort(inTurn(session, queue));
  const chosen = candidates.slice(0, most);
  noteServed(session, queue, chosen);
  return take(session, queue, chosen);
}

type InLine = Pick<Candidate, "rank" | "pos">;
function candidatesWithout(session: SyncSession, text: string, queue: string, most: number): Candidate[] {
  const front = session.prepare(text).all(queue, most) as Omit<Candidate, "turn">[];
  return front.map((place) => ({ ...place, turn: FIRST_TURN }));
}

/** Takes the places out of the line, and reads what a handler needs of their jobs. */
function take(session: SyncSession, queue: string, chosen: readonly Candidate[]): RawClaim[] {
  if (chosen.length === 0) return [];
  const takeOne = session.prepare(TAKE_ONE);
  for (const { rank, pos, isInHand } of chosen) if (!isInHand) takeOne.run(queue, rank, pos);
  return session.arrays(CLAIM_LISTED, JSON.stringify(chosen.map(({ pos }) => pos))).map(rawClaimOf);
}

/**
 * The front of each stage's own line, as far as it has free places. With fair shares, the front of each share's line;
 * the next place goes to the share that would then run the fewest jobs. Jobs without a stage are taken from the front
 * of the whole line.
 */
function pickFromStages(
  session: SyncSession,
  request: FinishAndClaimRequest,
  most: number,
  inHand: readonly Advanced[],
): RawClaim[] {
  const { queue, sharing } = request;
  const places = freePlaces(session, request, most, new Set(inHand.map(({ stage }) => stage)));
  const shares = sharing ? runningShares(session, queue) : undefined;
  const roomIn = (share: string) => (sharing?.most ?? Number.POSITIVE_INFINITY) - (shares?.get(share) ?? 0);
  const candidates = candidatesWithout(session, FRONT_WITHOUT_STAGE, queue, most);
  for (const [stage, free] of places)
    if (free > 0) candidates.push(...candidatesOf(session, queue, stage, free, shares, roomIn));
  for (const place of inHand) candidates.push({ ...place, share: null, turn: 0, isInHand: true });
  candidates.sort(inTurn(session, queue));
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    const { stage, share } = candidate;
    if (chosen.length === most) break;
    const free = stage === null ? 1 : (places.get(stage) ?? 0);
    if (free <= 0 || (share !== null && roomIn(share) <= 0)) continue;
    if (stage !== null) places.set(stage, free - 1);
    if (share !== null) shares?.set(share, (shares.get(share) ?? 0) + 1);
    chosen.push(candidate);
  }
  if (shares) noteServed(session, queue, chosen);
  if (inHand.length > 0) {
    const goOn = new Set(chosen.map(({ pos }) => pos));
    lineUp(
      session,
      inHand.filter(({ pos }) => !goOn.has(pos)),
    );
  }
  return take(session, queue, chosen);
}

/**
 * The stages that have ready jobs, in line or in hand, with their free places. A stage that is no longer in the rules
 * runs one job at a time.
 */
function freePlaces(
  session: SyncSession,
  { queue, stageLimits }: FinishAndClaimRequest,
  most: number,
  inHand: ReadonlySet<string>,
): Map<string, number> {
  const running = new Map<string, number>();
  for (const row of session.prepare(RUNNING_STAGES).all(queue) as { stage: string; running: number }[])
    running.set(row.stage, row.running);
  const stages = new Set(inHand);
  let next = session.prepare(NEXT_STAGE).get(queue, "") as { stage: string } | undefined;
  for (; next; next = session.prepare(NEXT_STAGE).get(queue, next.stage) as { stage: string } | undefined)
    stages.add(next.stage);
  const places = new Map<string, number>();
  for (const stage of stages) {
    const free = stageLimits ? (stageLimits[stage] ?? 1) - (running.get(stage) ?? 0) : most;
    places.set(stage, Math.min(most, free));
  }
  return places;
}

function candidatesOf(
  session: SyncSession,
  queue: string,
  stage: string,
  free: number,
  shares: ReadonlyMap<string, number> | undefined,
  roomIn: (share: string) => number,
): Candidate[] {
  if (shares) return inSharesOf(session, { queue, stage }, free, shares, roomIn);
  const front = session.prepare(FRONT_OF_STAGE).all(queue, stage, free) as InLine[];
  return front.map(({ rank, pos }) => ({ rank, pos, share: null, stage, turn: 0 }));
}
