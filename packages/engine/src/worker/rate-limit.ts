import type { QueueRules } from "@andon/contract";
import type { Claim, FinishAndClaimRequest, Store } from "../ports/store.ts";

type Limiter = NonNullable<QueueRules["limiter"]>;
type Rate = NonNullable<FinishAndClaimRequest["rate"]>;

const SHORTEST_SLACK_MS = 20;
const LONGEST_SLACK_MS = 1_000;
const SLACK = 0.02;

/** How much later than its stamp a claimed job may start. */
function slackOf({ duration }: Limiter): number {
  return Math.min(LONGEST_SLACK_MS, Math.max(SHORTEST_SLACK_MS, Math.ceil(duration * SLACK)));
}

/**
 * The rate that claims must observe. Claims are counted by their stamps, but a handler starts 1 to 50 ms later: counted
 * over the limiter's duration alone, starts would bunch (116 in 980 ms where 100 per second were allowed). So claims
 * are counted over the duration plus a slack, and no handler starts later than the slack allows.
 */
export function rateOf(limiter: Limiter): Rate {
  const slack = slackOf(limiter);
  return {
    max: limiter.max,
    duration: limiter.duration + slack,
    lead: Math.max(slack, Math.round(limiter.duration / 2)),
  };
}

interface Ports {
  readonly store: Store;
  readonly queue: string;
  readonly worker: string;
  readonly limiter: Limiter;
  start(claim: Claim): void;
  handBack(claim: Claim): void;
}

/** How many new stamps are tried if the store takes longer to answer than half of the limiter's duration. */
const MOST_STAMPS = 3;

/**
 * Starts the claims of one request that was sent at `sentAt` (monotonic). If the slack is used up, by a slow answer or
 * by the handlers before, the claims first get a new stamp: the time by which the answer to that write is expected.
 * Meanwhile others counted the old stamp, so once that is older than the counted duration, others may have used the
 * places, and the claims are handed back.
 */
export async function startWithinRate(ports: Ports, claims: readonly Claim[], sentAt: number): Promise<void> {
  const { store, limiter } = ports;
  const { clock } = store;
  const { lead, duration } = rateOf(limiter);
  const slack = slackOf(limiter);
  let stamp = claims[0]?.job.startedAt ?? 0;
  /** Until when others count the claims by their stamp, and until when they may start by it. */
  let [countedUntil, startUntil] = [sentAt + duration, sentAt + slack];
  let stamps = 0;
  for (const [index, claim] of claims.entries()) {
    let tookMs = clock.monotonic() - sentAt;
    while (clock.monotonic() > startUntil && stamps < MOST_STAMPS) {
      const askedAt = clock.monotonic();
      const ahead = Math.min(lead, Math.round(2 * tookMs));
      const next = clock.now() + ahead;
      const isStamped = await store.stampStarts(ports.queue, ports.worker, stamp, next).catch(() => false);
      if (!isStamped || clock.monotonic() >= countedUntil) {
        for (const late of claims.slice(index)) ports.handBack(late);
        return;
      }
      tookMs = clock.monotonic() - askedAt;
      [stamp, countedUntil, startUntil] = [next, askedAt + ahead + duration, askedAt + ahead + slack];
      stamps++;
    }
    stamps = 0;
    ports.start(claim);
  }
}
