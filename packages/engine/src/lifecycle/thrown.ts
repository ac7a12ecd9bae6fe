import { type Duration, isStorable, parseDuration } from "@andon/contract/plain";
import { LATEST_TIME } from "./latest-time.ts";
import { safeRead } from "./safe-read.ts";

/** Throw this where another attempt cannot help: the failure is final at once. */
export class Unretryable extends Error {
  override readonly name: string = "Unretryable";
}

/** Throw this to be called again after this time: milliseconds, or a string such as `"5s"`. No attempt is charged, and the job keeps its place. */
export class Snooze extends Error {
  override readonly name = "Snooze";
  readonly ms: number;
  /** Milliseconds, or a string such as "5s". */
  constructor(duration: Duration) {
    super(`snoozed for ${duration}`);
    const ms = timeToSnooze(duration);
    if (ms === undefined) throw new TypeError(`${JSON.stringify(duration)} is not a time to snooze for`);
    this.ms = ms;
  }
}

/** The milliseconds of a thrown Snooze; undefined if something else was thrown, or the duration is not valid. */
export function snoozedFor(thrown: unknown): number | undefined {
  return safeRead(() => (thrown instanceof Snooze ? timeToSnooze(thrown.ms) : undefined), undefined);
}

function timeToSnooze(duration: unknown): number | undefined {
  const ms = parseDuration(duration);
  return ms !== undefined && ms <= LATEST_TIME ? ms : undefined;
}

export interface ParkOptions {
  /** Until when it waits: a Date, milliseconds since 1970, or a length of time such as "24h". Default: for ever. */
  until?: Date | number | string | undefined;
}

/** In bytes, the same as for a key. */
const LONGEST_EVENT = 1_000;

/**
 * Throw this to wait for an event from outside: `andon.arrive(event, …)` calls the handler again. No attempt is charged,
 * the job keeps its lanes, and it takes no place in the worker. After `until` (default: never) the job fails with PARK_EXPIRED.
 */
export class Park extends Error {
  override readonly name = "Park";
  readonly event: string;
  readonly options: ParkOptions;
  constructor(event: string, options: ParkOptions = {}) {
    super(`parked until ${event} arrives`);
    this.event = checkedEvent(event);
    checkUntil(options.until);
    this.options = { until: options.until };
  }
}

function checkedEvent(event: unknown): string {
  const fits = typeof event === "string" && event !== "" && Buffer.byteLength(event) <= LONGEST_EVENT;
  if (fits && isStorable(event)) return event;
  throw new TypeError(`an event is a text of 1 to ${LONGEST_EVENT} bytes`);
}

function checkUntil(until: ParkOptions["until"]): void {
  if (expiryOf({ until }, 0) === undefined)
    throw new TypeError(`${JSON.stringify(until)} is not a time to wait until`);
}

/** When a park that begins now expires; undefined if `until` is not a valid time. */
export function expiryOf({ until }: ParkOptions, now: number): number | undefined {
  if (until === undefined) return LATEST_TIME;
  if (typeof until === "string") {
    const ms = parseDuration(until);
    return ms === undefined ? undefined : Math.min(now + ms, LATEST_TIME);
  }
  const time = until instanceof Date ? until.getTime() : until;
  return typeof time === "number" && time >= 0 && time <= LATEST_TIME ? Math.round(time) : undefined;
}

/** The event and the options of a thrown Park; undefined if something else was thrown. */
export function parkedFor(thrown: unknown): { event: string; options: ParkOptions } | undefined {
  return safeRead(
    () =>
      thrown instanceof Park ? { event: checkedEvent(thrown.event), options: thrown.options } : undefined,
    undefined,
  );
}

/**
 * Throw this where the destination of the whole queue is at fault (refused, timed out, unmounted, full), not this one
 * job.
 */
export class DestinationDown extends Error {
  override readonly name = "DestinationDown";
}
