import { type Duration, parseDuration } from "@andon/contract/plain";
import { LATEST_TIME } from "./latest-time.ts";
import { readable } from "./readable.ts";

/** The handler's error cannot be mended by trying again: the failure is final at once. */
export class Unretryable extends Error {
  override readonly name: string = "Unretryable";
}

/** Not now: call the handler again after `ms`. No attempt is charged and the job keeps its place. */
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

/** How long a handler that threw this wants to sleep; undefined where it threw something else, or no time with it. */
export function snoozedFor(thrown: unknown): number | undefined {
  return readable(() => (thrown instanceof Snooze ? timeToSnooze(thrown.ms) : undefined), undefined);
}

function timeToSnooze(duration: unknown): number | undefined {
  const ms = parseDuration(duration);
  return ms !== undefined && ms <= LATEST_TIME ? ms : undefined;
}

/** The place the whole queue works against is at fault (refused, timed out, unmounted, full), not this one job. */
export class DestinationDown extends Error {
  override readonly name = "DestinationDown";
}
