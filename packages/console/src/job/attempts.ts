import type { JobSummary } from "../api/client.ts";

/** How often its handler was called. The store counts what failed: the call that runs, or that succeeded, is one more. */
export function attemptsOf({ state, attempts }: Pick<JobSummary, "state" | "attempts">): number {
  return state === "running" || state === "done" ? attempts + 1 : attempts;
}
