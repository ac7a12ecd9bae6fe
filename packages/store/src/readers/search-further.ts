import type { FurtherPage, JobFilter } from "@andon/engine";
import { readJobs } from "../steps/job-steps.ts";
import type { StepContext } from "../steps/statement-registry.ts";
import { MOST_COUNTED } from "./bounds.ts";
import { matchingStates } from "./search-match.ts";
import { newestJobsBefore } from "./search-sources.ts";

const AT_ONCE = 1_000;

/**
 * Continues a search: reads jobs one by one, newest first, from a position on. It stops when the page is full or the
 * bound is reached, and returns how far it came.
 */
export async function searchFurther(
  at: StepContext,
  filter: JobFilter,
  before: number,
  limit: number,
): Promise<FurtherPage> {
  const found: number[] = [];
  let last = { pos: before, created_at: null as number | null };
  for (let looked = 0; looked < MOST_COUNTED && found.length < limit; looked += AT_ONCE) {
    const batch = await newestJobsBefore(at, last.pos, AT_ONCE);
    const matched = await matchingStates(
      at,
      batch.map(({ pos }) => pos),
      filter,
    );
    const meant = new Set(
      matched
        .filter(({ state }) => filter.state === undefined || state === filter.state)
        .map(({ pos }) => pos),
    );
    for (const job of batch) {
      if (found.length === limit) break;
      if (meant.has(job.pos)) found.push(job.pos);
      last = job;
    }
    if (found.length < limit && batch.length < AT_ONCE) return pageOf(at, found, null, last.created_at);
    // Other work gets a turn between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return pageOf(at, found, last.pos, last.created_at);
}

async function pageOf(
  at: StepContext,
  positions: readonly number[],
  cursor: number | null,
  searchedTo: number | null,
): Promise<FurtherPage> {
  const rows = new Map((await readJobs(at, positions)).map((row) => [row.pos, row]));
  return { items: positions.flatMap((pos) => rows.get(pos) ?? []), cursor, searchedTo };
}
