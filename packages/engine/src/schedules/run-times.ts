import { AndonError } from "@andon/contract";
import { Cron } from "croner";
import { WallClock } from "./wall-clock.ts";

/** The due times of a cron expression in a time zone. */
export interface RunTimes {
  /** The first due time after a moment; undefined if there is none. */
  after(at: number): number | undefined;
}

/**
 * The hour field selects one of two meanings when clocks change:
 *
 * - `*`: due times follow elapsed time, so that an hour that clocks repeat has its due times twice, and an hour that
 *   they skip has none. croner does this.
 * - named hours (`2`, `8-18`, `*\/6`): due times follow the wall clock, each once a day. A time that the clock shows
 *   twice is due the first time; a time that it skips is due at the moment of the change. croner does this only for a
 *   single hour and minute, so croner computes wall times only, and `WallClock` converts them.
 */
export function runTimes(cron: string, timeZone: string): RunTimes {
  const name = `${timeZone} ${cron}`;
  const times = known.get(name) ?? remembering(readTimes(cron, timeZone));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, times);
  return times;
}

/** Parsing an expression and a zone takes a hundred times as long as computing a due time. */
const known = new Map<string, RunTimes>();
const MOST_KNOWN = 1_000;

const SPANS_REMEMBERED = 8;

/**
 * Caches due times: every moment between `at` and the next due time has the same next due time, and repeated checks of
 * a schedule ask for such moments.
 */
function remembering(times: RunTimes): RunTimes {
  const spans: { from: number; next: number }[] = [];
  return {
    after(at) {
      const span = spans.find(({ from, next }) => from <= at && at < next);
      if (span) return span.next;
      const next = times.after(at);
      if (next !== undefined) spans.unshift({ from: at, next });
      spans.splice(SPANS_REMEMBERED);
      return next;
    },
  };
}

function readTimes(cron: string, timeZone: string): RunTimes {
  const clock = wallClockOf(timeZone);
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) refuseCron(cron);
  // croner replaces `?` with the time at which it parses the expression, so the same text would change its meaning.
  if (cron.includes("?")) refuseCron(cron);
  const times =
    fields.at(-4) === "*" ? passingTimes(cronOf(cron, timeZone)) : shownTimes(cronOf(cron, "UTC"), clock);
  if (times.after(Date.UTC(2000, 0, 1)) === undefined)
    invalid("cron", cron, "an expression that comes true at some time");
  return times;
}

function passingTimes(cron: Cron): RunTimes {
  return { after: (at) => cron.nextRun(new Date(at))?.getTime() };
}

function shownTimes(cron: Cron, clock: WallClock): RunTimes {
  return {
    after(at) {
      let wall = cron.nextRun(new Date(clock.wallTimeAt(at)));
      // The times of an hour that the wall clock repeats have been due already.
      while (wall !== null && clock.momentOf(wall.getTime()) <= at) wall = cron.nextRun(wall);
      return wall === null ? undefined : clock.momentOf(wall.getTime());
    },
  };
}

/**
 * The last due time up to `until`; `first` is a due time. A binary search, since a schedule that is due every second
 * may have been inactive for months.
 */
export function latestRun(times: RunTimes, first: number, until: number): number {
  let [known, open] = [first, until];
  while (known < open) {
    const middle = Math.floor((known + open) / 2);
    const next = times.after(middle);
    if (next !== undefined && next <= until) known = next;
    else open = middle;
  }
  return known;
}

function wallClockOf(timeZone: string): WallClock {
  try {
    if (/^[+-]/.test(timeZone)) throw new RangeError("an offset is not a zone");
    return new WallClock(timeZone);
  } catch {
    return invalid("timeZone", timeZone, 'an IANA time zone such as "Asia/Seoul" or "UTC"');
  }
}

function cronOf(text: string, timezone: string): Cron {
  try {
    return new Cron(text, { timezone, mode: "5-or-6-parts" });
  } catch {
    return refuseCron(text);
  }
}

function refuseCron(cron: string): never {
  return invalid(
    "cron",
    cron,
    'five fields (minute, hour, day of month, month, day of week) such as "30 2 * * *", or six that begin with the second',
  );
}

function invalid(option: string, given: string, allowed: string): never {
  throw new AndonError("INVALID_OPTION", {
    where: "the schedule",
    option,
    given: JSON.stringify(given),
    allowed,
  });
}
