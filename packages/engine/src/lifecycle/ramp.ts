import type { JobState, RampStatus } from "@andon/contract";
import type { JobRow, RampRow } from "../ports/store.ts";

/** What a ramp does next, by the states of the jobs that its wave has started. */
export type RampStep = "stop" | "wait" | "next" | "open";

/**
 * Whether a job of a wave counts as open, ended or failed, by its state. A job that was purged or deleted has ended.
 */
const STANDING: Readonly<Record<JobState, "open" | "ended" | "failed">> = {
  scheduled: "open",
  blocked: "open",
  ready: "open",
  running: "open",
  parked: "open",
  done: "ended",
  cancelled: "ended",
  skipped: "ended",
  resolved: "ended",
  aborted: "ended",
  failed: "failed",
};

function sizeOf({ waves, wave }: RampRow): number {
  return waves[wave - 1] ?? 0;
}

/** How many more jobs the wave may start. */
export function leftIn(ramp: RampRow): number {
  return Math.max(0, sizeOf(ramp) - ramp.jobs.length);
}

export function openIn(jobs: readonly JobRow[]): JobRow[] {
  return jobs.filter(({ state }) => STANDING[state] === "open");
}

/**
 * `jobs`: those of the wave that are still stored. `isLineEmpty`: no other job waits; then the wave need not be full,
 * and the ramp has nothing left to protect.
 */
export function nextStep(ramp: RampRow, jobs: readonly JobRow[], isLineEmpty: boolean): RampStep {
  if (jobs.some(({ state }) => STANDING[state] === "failed")) return "stop";
  if (ramp.jobs.length === 0 || openIn(jobs).length > 0) return "wait";
  if (isLineEmpty) return "open";
  if (leftIn(ramp) > 0) return "wait";
  return ramp.wave < ramp.waves.length ? "next" : "open";
}

export function rampStatus(ramp: RampRow, jobs: readonly JobRow[]): RampStatus {
  const failed = jobs.filter(({ state }) => STANDING[state] === "failed").length;
  const done = ramp.jobs.length - failed - openIn(jobs).length;
  return { wave: ramp.wave, waves: ramp.waves, started: ramp.jobs.length, done, failed };
}
