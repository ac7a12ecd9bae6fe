import type { SyncSession } from "../sqlite/session.ts";

/*
 * Fair shares on SQLite: the next place goes to the share that would then run the fewest jobs. However many shares
 * wait, a claim reads some of them: the next ones of the ring of their names, and the front of the line.
 * `claim-shares.postgres.ts` gives the reason.
 */

/** Shares that a claim reads, not counting those without room. */
const RING = 100;
/** Jobs at the front of the line that it reads if there are more shares. */
const FRONT = 500;

const RUNNING_SHARES = `select share, count(*) as running from andon_running
where queue = ?1 and share is not null group by share`;
const NEXT_SHARE = "select share from andon_ready where queue = ?1 and share > ?2 order by share limit 1";
/*
 * Of several lines only the places are read until the claimed ones are chosen: most are not claimed now. The index is
 * named because SQLite would otherwise use the primary key, which is in the right order, and read the whole line.
 */
const FRONT_OF_SHARE = `select rank, pos, share, stage from andon_ready indexed by andon_ready_share
where queue = ?1 and share = ?2 order by rank, pos limit ?3 + 0`;
const FRONT_OF_LINE = `select rank, pos, share, stage from andon_ready
where queue = ?1 order by rank, pos limit ?2 + 0`;
const NEXT_SHARE_OF_STAGE = `select share from andon_ready
where queue = ?1 and stage = ?2 and share > ?3 order by share limit 1`;
const FRONT_OF_SHARE_OF_STAGE = `select rank, pos, share, stage from andon_ready indexed by andon_ready_stage_share
where queue = ?1 and stage = ?2 and share = ?3 order by rank, pos limit ?4 + 0`;
const FRONT_OF_STAGE = `select rank, pos, share, stage from andon_ready indexed by andon_ready_stage
where queue = ?1 and stage = ?2 order by rank, pos limit ?3 + 0`;

/** For packages/store/queries. */
export const claimSharesTexts = {
  "claim-log-running_shares": RUNNING_SHARES,
  "claim-log-next_share": NEXT_SHARE,
  "claim-log-front_of_share": FRONT_OF_SHARE,
  "claim-log-front_of_line": FRONT_OF_LINE,
  "claim-log-next_share_of_stage": NEXT_SHARE_OF_STAGE,
  "claim-log-front_of_share_of_stage": FRONT_OF_SHARE_OF_STAGE,
  "claim-log-front_of_stage_shares": FRONT_OF_STAGE,
};

/** A place in line that may be claimed. `turn`: how many jobs of its share run before it. */
export interface Candidate {
  readonly rank: number;
  readonly pos: number;
  readonly share: string | null;
  readonly stage: string | null;
  readonly turn: number;
  /** The job is not in the line. */
  readonly isInHand?: boolean;
}

type Place = Pick<Candidate, "rank" | "pos" | "stage"> & { readonly share: string | null };

/** A line with shares: that of a queue, or of one of its stages. */
interface Line {
  readonly queue: string;
  readonly stage: string | null;
}

export function runningShares(session: SyncSession, queue: string): Map<string, number> {
  const rows = session.prepare(RUNNING_SHARES).all(queue) as { share: string; running: number }[];
  return new Map(rows.map((row) => [row.share, row.running]));
}

/** What a claim of `most` jobs may take from a line, from each share as far as it has room. */
export function inSharesOf(
  session: SyncSession,
  line: Line,
  most: number,
  running: ReadonlyMap<string, number>,
  room: (share: string) => number,
): Candidate[] {
  const { shares, isClosed } = ringOf(session, line, room);
  const places = new Map<number, Place>();
  // With few shares each may fill all places. With many, a few jobs of each are enough, because the other shares come
  // first.
  const deep = Math.max(1, Math.ceil((4 * most) / shares.length));
  for (const share of shares)
    for (const place of frontOf(session, line, share, Math.min(most, deep, room(share))))
      places.set(place.pos, place);
  if (!isClosed)
    for (const place of frontOfLine(session, line, Math.max(FRONT, most)))
      if (place.share !== null) places.set(place.pos, place);
  return inTurnOfShares([...places.values()], running, room);
}

function inTurnOfShares(
  places: Place[],
  running: ReadonlyMap<string, number>,
  room: (share: string) => number,
): Candidate[] {
  const turns = new Map<string, number>();
  const candidates: Candidate[] = [];
  for (const place of places.sort((a, b) => a.rank - b.rank || a.pos - b.pos)) {
    const share = place.share as string;
    const before = turns.get(share) ?? 0;
    if (before >= room(share)) continue;
    turns.set(share, before + 1);
    candidates.push({ ...place, turn: (running.get(share) ?? 0) + before });
  }
  return candidates;
}

/** Shares in the order of their names, from the one after the last claim's last share, round to the first again. */
function ringOf(
  session: SyncSession,
  line: Line,
  room: (share: string) => number,
): { shares: string[]; isClosed: boolean } {
  const { rings } = sharesKnown(session, line.queue);
  const name = line.stage ?? "";
  const next = (after: string) => nextShare(session, line, after);
  const first = next(rings.get(name) ?? "") ?? next("");
  const shares: string[] = [];
  let isClosed = true;
  for (let share = first; share !== undefined; ) {
    if (room(share) > 0) shares.push(share);
    rings.set(name, share);
    if (shares.length === RING) {
      isClosed = false;
      break;
    }
    share = next(share) ?? next("");
    if (share === first) break;
  }
  return { shares, isClosed };
}

function nextShare(session: SyncSession, { queue, stage }: Line, after: string): string | undefined {
  const row =
    stage === null
      ? session.prepare(NEXT_SHARE).get(queue, after)
      : session.prepare(NEXT_SHARE_OF_STAGE).get(queue, stage, after);
  return (row as { share: string } | undefined)?.share;
}

function frontOf(session: SyncSession, { queue, stage }: Line, share: string, most: number): Place[] {
  const rows =
    stage === null
      ? session.prepare(FRONT_OF_SHARE).all(queue, share, most)
      : session.prepare(FRONT_OF_SHARE_OF_STAGE).all(queue, stage, share, most);
  return rows as Place[];
}

function frontOfLine(session: SyncSession, { queue, stage }: Line, most: number): Place[] {
  const rows =
    stage === null
      ? session.prepare(FRONT_OF_LINE).all(queue, most)
      : session.prepare(FRONT_OF_STAGE).all(queue, stage, most);
  return rows as Place[];
}

/**
 * `served`: when each share last got a place, as a growing number. `rings`: the last share that a claim read, by stage.
 */
interface SharesKnown {
  readonly served: Map<string, number>;
  readonly rings: Map<string, string>;
}

const known = new WeakMap<SyncSession, Map<string, SharesKnown>>();
/** A process that serves more shares than this forgets all of them, so they become equal again. */
const MOST_SHARES_KNOWN = 10_000;
let servings = 0;

function sharesKnown(session: SyncSession, queue: string): SharesKnown {
  const queues = known.get(session) ?? new Map<string, SharesKnown>();
  known.set(session, queues);
  const shares = queues.get(queue) ?? { served: new Map(), rings: new Map() };
  queues.set(queue, shares);
  return shares;
}

export function noteServed(session: SyncSession, queue: string, chosen: readonly Candidate[]): void {
  const { served } = sharesKnown(session, queue);
  if (served.size > MOST_SHARES_KNOWN) served.clear();
  for (const { share } of chosen) if (share !== null) served.set(share, ++servings);
}

/**
 * The fewest running jobs first, then the priority. Among equals the share that was served longest ago: short jobs end
 * before the next claim, so that all shares run equally many, and the oldest jobs of one tenant's flood would keep the
 * others waiting.
 */
export function inTurn(session: SyncSession, queue: string): (a: Candidate, b: Candidate) => number {
  const { served } = sharesKnown(session, queue);
  const lastOf = ({ share }: Candidate) => (share === null ? 0 : (served.get(share) ?? 0));
  return (a, b) => a.turn - b.turn || a.rank - b.rank || lastOf(a) - lastOf(b) || a.pos - b.pos;
}
