import { isDeepStrictEqual } from "node:util";
import { AndonError, type StopCertificate } from "@andon/contract";
import type { Store } from "../ports/store.ts";

export interface StopVerdict {
  certificate: StopCertificate;
  /** Whether every check below succeeded. */
  holds: boolean;
  /** Whether the feed has an event of this stop with the same data. */
  inFeed: boolean;
  /** False if the stop is older than events are kept: its event can no longer be checked. */
  feedKept: boolean;
  /** Claims after the stop that belong to the epoch it ended, or that were made before the queue was resumed. */
  violations: { claim: number; epoch: number; at: number; worker: string }[];
}

/** A certificate without the members that the resume added. */
function asWritten({
  resumedAt: _at,
  resumedBy: _by,
  ...written
}: Record<string, unknown> | StopCertificate) {
  return written;
}

const MOST_LOOKED_AT = 10_000;

/** Checks a stop's certificate against the feed and the claim log. */
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

/** Whether the stop's event was deleted: the feed begins after the stop, and the stop is old enough for that. */
async function isPurged(store: Store, { at }: StopCertificate, keepEvents: number): Promise<boolean> {
  if (at >= store.clock.now() - keepEvents) return false;
  const begins = await store.read.feedBeginsAt();
  return begins === null || begins > at;
}
