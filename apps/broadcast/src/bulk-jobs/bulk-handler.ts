import type { Job } from "@andon/contract";
import { bulk, type Handler } from "@andon/engine";
import { type BroadcastContext, PUSH_QUEUE } from "../broadcast-context.ts";
import { type Audience, fixAudience, inAudience, limitOf } from "../channels/audience.ts";
import type { PushPayload } from "../pushes/push-queue.ts";
import { type BulkPayload, payloadOf } from "./bulk-payload.ts";
import { writeChunk } from "./chunk-rows.ts";

interface Recipient {
  readonly id: string;
}

/** Walks a bulk job through its audience, by channel id. */
export function bulkHandler(context: BroadcastContext): Handler<BulkPayload> {
  const { andon, settings, flags, queue } = context;
  const { store } = andon;
  const audiences = new WeakMap<object, Promise<Audience>>();

  /** Read once per walk: the audience is fixed before the first chunk and never changes. */
  const audienceOf = (job: Job<BulkPayload>): Promise<Audience> => {
    const known = audiences.get(job) ?? readAudience(job);
    audiences.set(job, known);
    known.catch(() => audiences.delete(job));
    return known;
  };
  const readAudience = async (job: Job<BulkPayload>): Promise<Audience> => {
    const [row] = await store.query<{ snapshot: number | null }>(
      "select snapshot from broadcast_jobs where id = $1",
      [job.id],
    );
    if (typeof row?.snapshot !== "number") throw new Error(`the audience of ${job.id} is not fixed`);
    return { tenantId: job.tenant, organizationId: payloadOf(job).organizationId, snapshot: row.snapshot };
  };

  return bulk<Recipient, BulkPayload>({
    settings: ({ payload }) => ({
      chunkSize: payload.chunkSize,
      throttle: payload.throttle,
      queueMaxPerSecond: settings.maxPerSecond ?? null,
      maxCommitMs: settings.maxCommitMs,
    }),
    flags: flags.asked,
    total: (tx, job) =>
      fixAudience(tx, job.id, { tenantId: job.tenant, organizationId: payloadOf(job).organizationId }),
    async read(cursor, limit, _context, job) {
      const { text, params } = inAudience(await audienceOf(job));
      const [chunk] = await store.query<{ first: string | null; last: string; count: number }>(
        `select min(id) as first, max(id) as last, count(*) as count from (
           select c.id from broadcast_channels c where ${text} and c.id > $4 order by c.id ${limitOf("$5")}) as chunk`,
        [...params, cursor ?? "", limit],
      );
      return chunk ? recipientsOf(chunk) : [];
    },
    async write(tx, rows, _context, job) {
      const [first, last] = [(rows[0] as Recipient).id, (rows.at(-1) as Recipient).id];
      const audience = await audienceOf(job);
      const push: PushPayload = { jobId: job.id, first };
      const options = {
        tx,
        tenant: job.tenant,
        organization: job.organization ?? undefined,
        name: "push",
        traceId: job.traceId ?? undefined,
      };
      await Promise.all([
        writeChunk(tx, job.id, audience, { first, last, recipients: rows.length }, store.clock.now()),
        queue(PUSH_QUEUE).add(push, options),
      ]);
    },
    cursorOf: ({ id }) => id,
  }) as Handler<BulkPayload>;
}

/**
 * Represents a chunk by its first and last id. `writeChunk` copies the rows between them inside the database, so their ids
 * are not needed here: to fetch a thousand ids took as long as to insert the rows.
 */
function recipientsOf({
  first,
  last,
  count,
}: {
  first: string | null;
  last: string;
  count: number;
}): Recipient[] {
  if (first === null) return [];
  const rows: Recipient[] = new Array(Number(count)).fill({ id: first });
  return rows.with(-1, { id: last });
}
