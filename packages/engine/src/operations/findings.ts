import type { Job } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import type { Findings } from "../queue-definition.ts";

const LOOKS_AT_ONCE = 100;

/** The results of `beforeSkip` for those of these jobs that are failed. A job that fails later has no finding. */
export async function findingsOf(
  store: Store,
  positions: readonly number[],
  look: (job: Job) => Promise<unknown>,
): Promise<Findings> {
  const findings = new Map<string, unknown>();
  for (let from = 0; from < positions.length; from += LOOKS_AT_ONCE) {
    const jobs = await store.read.readJobs(positions.slice(from, from + LOOKS_AT_ONCE));
    const failed = jobs.filter(({ state }) => state === "failed");
    await Promise.all(failed.map(async (job) => findings.set(job.id, await look(job))));
  }
  return findings;
}
