import type { Claim, FinishAndClaimRequest } from "@andon/engine";

export interface Floor {
  readonly floorRank: number;
  readonly floorPos: number;
}

export const LOWEST: Floor = { floorRank: -2_147_483_648, floorPos: 0 };
const RESCAN_MS = 50;
/**
 * The time allowed for a full scan, plus a time per job that it claims. Scans are slow when they take longer on
 * average.
 */
const ALLOWED_MS = 2;
const ALLOWED_MS_PER_JOB = 0.05;
/**
 * The average covers about this many scans, and one scan counts at most this much: the server may have been
 * interrupted.
 */
const AVERAGED = 8;
const MOST_COUNTED = 2;
/** While scans are slow, full scans take at most a tenth of the time, with pauses up to this length. */
const PAUSE_PER_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

interface Known {
  floor: Floor;
  scannedAt: number;
  rescanMs: number;
  /** The average time of full scans, divided by the time allowed. */
  slowness: number;
  /** The best rank that this process has claimed. */
  rank: number;
}

/**
 * Where the next claim of a queue starts to scan. Claimed rows leave dead entries at the front of the index until a
 * vacuum; starting at the lowest row of the last claim skips them (79k jobs/s with this, 39k without, over a million
 * completions). A full scan every 50 ms, and after every claim that came back short, finds jobs that were added below
 * the floor. So under full load a job of higher priority may be found 50 ms late. Queues with limits or stages always
 * scan the whole line.
 *
 * While any old snapshot is open, no vacuum helps, and full scans get slower with every job. Then a short claim does
 * not cause a full scan. Instead a request starts at the lowest job that it finishes, since the jobs that it lets
 * through in their lanes are after that one; the next full scan finds everything else that was added below.
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

  /** Records what a request that started at this floor claimed, and how long its claim took in the server. */
  learn(request: FinishAndClaimRequest, floor: Floor, claims: readonly Claim[], tookMs: number): void {
    const known = this.#known.get(request.queue);
    if (!known || request.want === 0) return;
    // Without lanes, finishing and claiming are one statement, so the time of the claim alone is unknown.
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

  /**
   * How long jobs below the floor wait for the next full scan; undefined if scans are fast enough to run one at once.
   */
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
