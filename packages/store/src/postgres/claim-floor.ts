import type { Claim, FinishAndClaimRequest } from "@andon/engine";

export interface Floor {
  readonly floorRank: number;
  readonly floorPos: number;
}

export const LOWEST: Floor = { floorRank: -2_147_483_648, floorPos: 0 };
const RESCAN_MS = 50;
/** What a full scan may take, and per job that it claims. Scans are slow when they take longer on average. */
const ALLOWED_MS = 2;
const ALLOWED_MS_PER_JOB = 0.05;
/** The average goes over about this many scans, and one counts no more than this: the server may have been interrupted. */
const AVERAGED = 8;
const MOST_COUNTED = 2;
/** Slow scans take a tenth of the time at most, up to this pause. */
const PAUSE_PER_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

interface Known {
  floor: Floor;
  scannedAt: number;
  rescanMs: number;
  /** What full scans took on average, over what they may take. */
  slowness: number;
  /** The best that this process has claimed. */
  rank: number;
}

/**
 * Where the next claim of a queue starts to look. Claimed rows leave dead entries at the front of the index until a
 * vacuum; starting at the lowest row of the last claim passes them over (over a million completions 79k jobs/s fall to
 * 39k without it). A full scan every 50 ms, and whenever a claim came back short, finds what was put in below: so under
 * full load a job of higher priority may be seen 50 ms late. Queues with limits always look at the whole line.
 *
 * While anybody's old snapshot is open, no vacuum helps, and full scans grow slower with every job. Then a claim that came
 * back short is no reason for one: a request starts at the lowest job that it finishes, since the jobs that it lets through
 * in their lanes come after that one, and what else was put in below is found by the next full scan.
 */
export class ClaimFloor {
  readonly #known = new Map<string, Known>();

  of(request: FinishAndClaimRequest, now: number): Floor {
    const { limit, rate, sharing, hasStages } = request;
    if (limit !== null || rate !== null || sharing !== null || hasStages) return LOWEST;
    const known = this.#known.get(request.queue) ?? newlyKnown(now);
    this.#known.set(request.queue, known);
    const floor = now - known.scannedAt < known.rescanMs ? floorOf(known, request) : LOWEST;
    if (floor === LOWEST) known.scannedAt = now;
    return floor;
  }

  /** What a request that started at this floor claimed, and how long its claim took in the server. */
  learn(request: FinishAndClaimRequest, floor: Floor, claims: readonly Claim[], tookMs: number): void {
    const known = this.#known.get(request.queue);
    if (!known || request.want === 0) return;
    // Without lanes, finishing and claiming are one statement, and nobody can tell how long each took.
    const isClaimAlone = request.done.length === 0 || request.done.some(({ lanes }) => lanes.length > 0);
    if (floor === LOWEST && isClaimAlone) {
      const ratio = tookMs / (ALLOWED_MS + ALLOWED_MS_PER_JOB * claims.length);
      known.slowness += (Math.min(MOST_COUNTED, ratio) - known.slowness) / AVERAGED;
      known.rescanMs = isSlow(known)
        ? Math.min(LONGEST_PAUSE_MS, Math.max(RESCAN_MS, tookMs * PAUSE_PER_MS))
        : RESCAN_MS;
    }
    for (const { job } of claims) known.rank = Math.min(known.rank, 0 - job.priority);
    const first = claims[0];
    const isShort = !first || claims.length < request.want;
    known.floor = isShort ? LOWEST : { floorRank: 0 - first.job.priority, floorPos: first.pos };
  }

  /** How long what lies below the floor waits for the next full scan; undefined where scans are fast enough for one now. */
  pause(queue: string, now: number): number | undefined {
    const known = this.#known.get(queue);
    if (!known || !isSlow(known)) return undefined;
    return Math.max(1, Math.ceil(known.scannedAt + known.rescanMs - now));
  }
}

function newlyKnown(now: number): Known {
  return { floor: LOWEST, scannedAt: now, rescanMs: RESCAN_MS, slowness: 0, rank: 0 };
}

function isSlow(known: Known): boolean {
  return known.slowness > 1;
}

function floorOf(known: Known, { done }: FinishAndClaimRequest): Floor {
  if (known.floor !== LOWEST || !isSlow(known) || done.length === 0) return known.floor;
  let floorPos = Number.MAX_SAFE_INTEGER;
  for (const { pos } of done) floorPos = Math.min(floorPos, pos);
  return { floorRank: known.rank, floorPos };
}
