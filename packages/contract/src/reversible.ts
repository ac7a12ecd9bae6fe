import type { JobState } from "./job-states.ts";

/** Lists that are kept in one direction only: what is done by the claims that ended it, what is blocked by its places in lanes. */
const ONE_WAY: ReadonlySet<JobState> = new Set(["done", "blocked"]);

/**
 * Whether a list of jobs can be read the other way round along an index: all jobs, or those of one queue and state. Any other
 * filter looks at the newest jobs first and stops early, so that the oldest of them are not known.
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
