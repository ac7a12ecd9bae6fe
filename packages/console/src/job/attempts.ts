import type { JobSummary } from "../api/client.ts";

/** How often its handler was called. The store counts failed attempts; the running or successful attempt is one more. */
export function attemptsOf({ state, attempts }: Pick<JobSummary, "state" | "attempts">): number {
  return state === "running" || state === "done" ? attempts + 1 : attempts;
}
