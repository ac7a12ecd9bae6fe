import type { JobState } from "./job-states.ts";

/** Lists with an order in one direction only: done jobs are found by their claims, blocked jobs by their places in lanes. */
const ONE_WAY: ReadonlySet<JobState> = new Set(["done", "blocked"]);

/**
 * Whether a list of jobs can be read in reverse along an index: all jobs, or those of one queue and state. A search by any other
 * filter begins with the newest jobs and stops early, so it does not know the oldest ones.
 */
export function isReversible(filter: {
  readonly queue?: string | undefined;
  readonly state?: JobState | undefined;
}): boolean {
  const { queue, state } = filter;
  const given = Object.values(filter).filter((value) => value !== undefined).length;
  if (given === 0) return true;
  return given === 2 && queue !== undefined && state !== undefined && !ONE_WAY.has(state);
}
