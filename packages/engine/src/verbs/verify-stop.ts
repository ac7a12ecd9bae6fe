import { isDeepStrictEqual } from "node:util";
import { AndonError, type StopCertificate } from "@andon/contract";
import type { Store } from "../ports/store.ts";

export interface StopVerdict {
  certificate: StopCertificate;
  /** Whether all below is as it must be. */
  holds: boolean;
  /** The feed tells of this very stop, in the same words. */
  inFeed: boolean;
  /** False where rows of the feed are not kept that long: what it told of the stop can no longer be checked. */
  feedKept: boolean;
  /** Claims after the stop that belong to the epoch it ended, or that came before anybody resumed the queue. */
  violations: { claim: number; epoch: number; at: number; worker: string }[];
}

/** A certificate without what the resume added to it. */
function asWritten({
  resumedAt: _at,
  resumedBy: _by,
  ...written
}: Record<string, unknown> | StopCertificate) {
  return written;
}

const MOST_LOOKED_AT = 10_000;

/** Checks a stop's certificate against the feed and the claim log (G1). */
export async function verifyStop(store: Store, id: string, keepEvents: number): Promise<StopVerdict> {
  const certificate = await store.read.stop(id);
  if (!certificate) throw new AndonError("STOP_NOT_FOUND", { stop: id });
  const told = await store.read.stopEvents(certificate.queue, certificate.at);
  const inFeed = told.some((event) => isDeepStrictEqual(asWritten(event.data), asWritten(certificate)));
  const later = await store.read.claimsAfter(certificate.queue, certificate.lastClaim, MOST_LOOKED_AT);
  const violations = later
    .filter((claim) => claim.epoch <= certificate.epoch || certificate.resumedAt === null)
    .map(({ id: claim, ...rest }) => ({ claim, ...rest }));
  const feedKept = inFeed || !(await isPurged(store, certificate, keepEvents));
  const holds = (inFeed || !feedKept) && violations.length === 0;
  return { certificate, holds, inFeed, feedKept, violations };
}

/** The feed begins after it, and it is old enough for that. */
async function isPurged(store: Store, { at }: StopCertificate, keepEvents: number): Promise<boolean> {
  if (at >= store.clock.now() - keepEvents) return false;
  const begins = await store.read.feedBeginsAt();
  return begins === null || begins > at;
}
