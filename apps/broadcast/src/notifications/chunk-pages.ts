import type { Conditions } from "@andon/app";
import type { Store } from "@andon/engine";

/** The rows of one job that belong to a page: among those from `first` to `last`, how many to skip and how many to take. */
export interface RowRange {
  readonly jobId: string;
  readonly first: string;
  readonly last: string;
  readonly skip: number;
  readonly take: number;
}

interface FoundChunk {
  readonly jobId: string;
  readonly first: string;
  readonly last: string;
  readonly recipients: number;
  readonly upTo: number;
}

/**
 * Finds a page of the rows that chunks wrote, using only the chunks: the last page costs no more than the first, and the
 * total is exact. Newest job first, then by channel. `areAll`: the conditions exclude no chunk of a job, so consecutive
 * results are consecutive chunks.
 */
export async function findRanges(
  store: Store,
  conditions: Conditions,
  { page, limit, areAll }: { page: number; limit: number; areAll: boolean },
): Promise<{ total: number; ranges: RowRange[] }> {
  const from = `from broadcast_chunks k ${conditions.where}`;
  const [sum] = await store.scan<{ total: number | null }>(
    `select sum(k.recipients) as total ${from}`,
    conditions.params,
  );
  const offset = (page - 1) * limit;
  const chunks = await store.scan<FoundChunk>(
    `select * from (
       select k.job_id as "jobId", k.first_channel as first, k.last_channel as last, k.recipients,
         sum(k.recipients) over (order by k.job_id desc, k.first_channel) as "upTo" ${from}
     ) as counted where "upTo" > ${conditions.param(offset)} order by "upTo" limit ${conditions.param(limit)}`,
    conditions.params,
  );
  const ranges: RowRange[] = [];
  let left = limit;
  for (const { jobId, first, last, recipients, upTo } of chunks) {
    if (left <= 0) break;
    const skip = Math.max(0, offset - (Number(upTo) - Number(recipients)));
    const take = Math.min(left, Number(recipients) - skip);
    ranges.push({ jobId, first, last, skip, take });
    left -= take;
  }
  return { total: Number(sum?.total ?? 0), ranges: areAll ? joined(ranges) : ranges };
}

/** Merges consecutive chunks of one job, so that one statement reads them. */
function joined(ranges: readonly RowRange[]): RowRange[] {
  const found: RowRange[] = [];
  for (const range of ranges) {
    const before = found.at(-1);
    if (before?.jobId === range.jobId && range.skip === 0)
      found[found.length - 1] = { ...before, last: range.last, take: before.take + range.take };
    else found.push(range);
  }
  return found;
}
