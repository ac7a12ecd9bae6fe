import type { FinishAndClaimResult } from "@andon/engine";
import { CLAIM_WIDTH, type RawClaim, rawClaimOf } from "../statements/job-row.ts";

/**
 * How many completions were accepted; which, if some were not; and which of the others are in lanes that are locked.
 */
export type AcceptedRow = { accepted: number; which: string | null; busy?: string | null };

/** The result of a statement that claims. `claimMs`: its time in the server. */
export interface ClaimedRows {
  readonly queueState: FinishAndClaimResult["queueState"];
  readonly claimMs: number;
  readonly accepted: AcceptedRow;
  /**
   * Set by some kinds of claim. With stages that end: the positions that continue in their next stage, null if all
   * accepted ones do. With fair shares: where the next claim starts.
   */
  readonly further: string | null;
  readonly claimed: RawClaim[];
}

/**
 * Reads the rows of a claim: the first one is about the whole claim, then one per job. The server promises no order for
 * these.
 */
export function claimedRowsOf(rows: readonly unknown[]): ClaimedRows {
  const [first, ...others] = rows as readonly unknown[][];
  const [queueState, claimMs, accepted, which, further] = first?.slice(CLAIM_WIDTH) ?? [];
  return {
    queueState: (queueState as FinishAndClaimResult["queueState"] | null) ?? "open",
    claimMs: claimMs as number,
    accepted: { accepted: accepted as number, which: which as string | null },
    further: (further as string | null | undefined) ?? null,
    claimed: sortClaims(others.map(rawClaimOf)),
  };
}

/** The rows are usually in order, and checking is cheaper than sorting. */
export function sortClaims(claims: RawClaim[]): RawClaim[] {
  const isSorted = claims.every((claim, n) => n === 0 || compare(claims[n - 1] as RawClaim, claim) < 0);
  return isSorted ? claims : claims.sort(compare);
}

function compare(a: RawClaim, b: RawClaim): number {
  return a.rank - b.rank || a.pos - b.pos;
}
