import type { JobDetail } from "../api/client.ts";

/**
 * A blocked job has another one before it, in one of its lanes: with several, it may be the first of the others. One with a
 * later time has not joined its lanes yet.
 */
export function isHead({ state, keys, seq }: JobDetail): boolean {
  if (keys.length === 0 || seq === null) return false;
  return state !== "blocked" || keys.length > 1;
}

export function hasRun({ startedAt, history }: JobDetail): boolean {
  return startedAt !== null || history.length > 0;
}
