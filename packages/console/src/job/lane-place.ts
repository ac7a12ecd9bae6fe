import type { JobDetail } from "../api/client.ts";

/**
 * Whether the job is, or may be, the head of a lane. A blocked job waits behind another job in one of its lanes; with several
 * lanes it may be the head of another. A scheduled job has not joined its lanes yet.
 */
export function isHead({ state, keys, seq }: JobDetail): boolean {
  if (keys.length === 0 || seq === null) return false;
  return state !== "blocked" || keys.length > 1;
}

export function hasRun({ startedAt, history }: JobDetail): boolean {
  return startedAt !== null || history.length > 0;
}
