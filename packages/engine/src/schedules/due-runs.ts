import type { Schedule } from "@andon/contract";
import { latestRun, type RunTimes } from "./run-times.ts";

/** The result of firing a schedule. */
export interface DueRuns {
  /** Due times that get a job, oldest first. */
  runs: number[];
  /** Due times that get no job; `more` if counting stopped early. */
  missed: { count: number; first: number; last: number; more: boolean } | null;
  nextAt: number | null;
  lastDueAt: number;
}

/** With `skip`, the last due time still gets its job if it is at most this late. */
const TOLERANCE_MS = 60_000;
/** With `all`, the next transactions add the rest. */
const MOST_RUNS = 100;
const MOST_COUNTED = 1_000;

type Due = Pick<Schedule, "missed"> & { nextAt: number };

/**
 * Which of the due times from `nextAt` up to now get a job. `nextAt` always moves past every due time that is settled
 * here, so that nothing is due again after the clock is set back.
 */
export function dueRuns(schedule: Due, times: RunTimes, now: number): DueRuns {
  const first = schedule.nextAt;
  if (schedule.missed === "all") return each(times, first, now);
  const last = latestRun(times, first, now);
  const isLate = now - last > TOLERANCE_MS;
  const runs = schedule.missed === "skip" && isLate ? [] : [last];
  const missed = countMissed(times, first, runs.length > 0 ? last : last + 1);
  return { runs, missed, nextAt: times.after(now) ?? null, lastDueAt: last };
}

function each(times: RunTimes, first: number, now: number): DueRuns {
  const runs: number[] = [];
  let next: number | undefined = first;
  while (next !== undefined && next <= now && runs.length < MOST_RUNS) {
    runs.push(next);
    next = times.after(next);
  }
  return { runs, missed: null, nextAt: next ?? null, lastDueAt: runs.at(-1) ?? first };
}

/** The due times from `first` to just before `end`. */
function countMissed(times: RunTimes, first: number, end: number): DueRuns["missed"] {
  if (first >= end) return null;
  let count = 0;
  let at: number | undefined = first;
  let last = first;
  for (; at !== undefined && at < end && count < MOST_COUNTED; at = times.after(at)) {
    count++;
    last = at;
  }
  const more = at !== undefined && at < end;
  return { count, first, last: more ? latestRun(times, last, end - 1) : last, more };
}
