import type { FinishAndClaimResult } from "@andon/engine";
import { CLAIM_WIDTH, type RawClaim, rawClaimOf } from "../statements/job-row.ts";

/** How many completions were accepted; which, where some were not; and which of the others stand in lanes that are locked. */
export type AcceptedRow = { accepted: number; which: string | null; busy?: string | null };

/** What a statement that claims has returned. `claimMs`: how long it took in the server. */
export interface ClaimedRows {
  readonly queueState: FinishAndClaimResult["queueState"];
  readonly claimMs: number;
  readonly accepted: AcceptedRow;
  /**
   * What one kind of claim alone tells. Of stages that end: the positions that go on in their next stage, null where all that are
   * accepted do. Of fair shares: where the next claim goes on.
   */
  readonly further: string | null;
  readonly claimed: RawClaim[];
}

/** Reads the rows of a claim: a first one for all, then one per job, which come in no order that the server promises. */
export function claimedRowsOf(rows: readonly unknown[]): ClaimedRows {
  const [first, ...others] = rows as readonly unknown[][];
  const [queueState, claimMs, accepted, which, further] = first?.slice(CLAIM_WIDTH) ?? [];
  return {
    queueState: (queueState as FinishAndClaimResult["queueState"] | null) ?? "open",
    claimMs: claimMs as number,
    accepted: { accepted: accepted as number, which: which as string | null },
    further: (further as string | null | undefined) ?? null,
    claimed: inLine(others.map(rawClaimOf)),
  };
}

/** Mostly they are in order as they come: to find that out is cheaper than to sort. */
export function inLine(claims: RawClaim[]): RawClaim[] {
  const isSorted = claims.every((claim, n) => n === 0 || compare(claims[n - 1] as RawClaim, claim) < 0);
  return isSorted ? claims : claims.sort(compare);
}

function compare(a: RawClaim, b: RawClaim): number {
  return a.rank - b.rank || a.pos - b.pos;
}
