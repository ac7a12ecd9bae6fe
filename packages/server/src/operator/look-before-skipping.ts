import type { Findings, PlanRow } from "@andon/engine";
import type { Site, SiteQueue } from "../site.ts";

type Look = NonNullable<SiteQueue["beforeSkip"]>;

const LOOKS_AT_ONCE = 100;

/** What is found for every failed job of a queue, before all of them are skipped. One that fails meanwhile counts as not mended. */
export function lookAtFailed(site: Site, queue: string, look: Look): Promise<Findings> {
  return lookAt(site, site.andon.store.read.scanJobs(queue, ["failed"], {}), look);
}

/** What is found for every job of a plan that skips. */
export async function lookAtPlanned(site: Site, planId: string, look: Look): Promise<Findings> {
  const { targets } = (await site.andon.store.read.plan(planId)) as PlanRow;
  return lookAt(site, [targets.map(({ pos }) => pos)], look);
}

async function lookAt(
  { andon }: Site,
  batches: AsyncIterable<number[]> | Iterable<number[]>,
  look: Look,
): Promise<Findings> {
  const findings = new Map<string, unknown>();
  for await (const positions of batches) {
    for (let from = 0; from < positions.length; from += LOOKS_AT_ONCE) {
      const jobs = await andon.store.read.readJobs(positions.slice(from, from + LOOKS_AT_ONCE));
      const failed = jobs.filter(({ state }) => state === "failed");
      await Promise.all(failed.map(async (job) => findings.set(job.id, await look(job))));
    }
  }
  return findings;
}
