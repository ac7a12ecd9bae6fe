import { Conditions, type PageOf } from "@andon/app";
import type { Store } from "@andon/engine";
import { inAudience, limitOf } from "../channels/audience.ts";
import { findRanges } from "../notifications/chunk-pages.ts";
import type { BulkRow } from "./bulk-rows.ts";

interface Recipient {
  readonly channelId: string;
  readonly name: string | null;
  readonly isNotified: boolean;
}

/** Counting stops here; the job itself shows the exact size of its audience. */
const MOST_COUNTED = 10_000;
/** A job without a fixed audience would notify the channels that exist now. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/**
 * The recipients of a job by channel id. For a completed job they come from its notifications, because the rows of channels
 * that were deleted since are dropped when no audience needs them.
 */
export function listAudience(
  store: Store,
  job: BulkRow,
  wanted: { page: number; limit: number },
): Promise<PageOf<Recipient>> {
  return job.jobState === "done" ? listNotified(store, job, wanted) : listChannelsOf(store, job, wanted);
}

/** Pages by chunks, as the notifications do. */
async function listNotified(
  store: Store,
  { id, tenantId }: BulkRow,
  { page, limit }: { page: number; limit: number },
): Promise<PageOf<Recipient>> {
  const conditions = new Conditions().add("k.job_id = ?", id);
  const { total, ranges } = await findRanges(store, conditions, { page, limit, areAll: true });
  const items: Recipient[] = [];
  for (const { jobId, first, last, skip, take } of ranges) {
    const rows = await store.scan<Omit<Recipient, "isNotified">>(
      `select p."channelId", (select c.name from broadcast_channels c where c.tenant_id = $6 and c.id = p."channelId"
         and c.deleted_version is null) as name
       from (select n.channel_id as "channelId" from broadcast_notifications n
         where n.job_id = $1 and n.channel_id >= $2 and n.channel_id <= $3 order by n.channel_id limit $4 offset $5) as p
       order by p."channelId"`,
      [jobId, first, last, take, skip, tenantId],
    );
    items.push(...rows.map((row) => ({ ...row, isNotified: true })));
  }
  return { total, page, limit, items };
}

async function listChannelsOf(
  store: Store,
  { id, tenantId, organizationId, snapshot }: BulkRow,
  { page, limit }: { page: number; limit: number },
): Promise<PageOf<Recipient>> {
  const { text, params } = inAudience({ tenantId, organizationId, snapshot: snapshot ?? NEWEST });
  const from = `from broadcast_channels c where ${text}`;
  const [count] = await store.scan<{ total: number }>(
    `select count(*) as total from (select 1 ${from} limit ${MOST_COUNTED + 1}) as counted`,
    params,
  );
  const total = Number(count?.total ?? 0);
  // The inner query cuts the page, so that the outer subquery runs only for the rows of the page.
  const rows = await store.scan<Omit<Recipient, "isNotified"> & { isNotified: number }>(
    `select p."channelId", p.name, (select count(*) from broadcast_notifications n where n.job_id = $6
       and n.channel_id = p."channelId") as "isNotified"
     from (select c.id as "channelId", c.name ${from} order by c.id ${limitOf("$4")} offset $5) as p order by p."channelId"`,
    [...params, limit, (page - 1) * limit, id],
  );
  const items = rows.map((row) => ({ ...row, isNotified: Number(row.isNotified) > 0 }));
  const more = total > MOST_COUNTED ? { more: true as const } : {};
  return { total: Math.min(total, MOST_COUNTED), page, limit, items, ...more };
}
