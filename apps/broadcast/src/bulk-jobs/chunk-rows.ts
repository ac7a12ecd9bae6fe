import type { Tx } from "@andon/engine";
import { type Audience, inAudience } from "../channels/audience.ts";

/**
 * Writes the rows of one chunk: a notification and a push for each channel of the audience from `first` to `last`, and the
 * row of the chunk. The statements select the channels again: a fixed audience never changes, so they are the channels that
 * were counted.
 */
export async function writeChunk(
  tx: Tx,
  jobId: string,
  audience: Audience,
  { first, last, recipients }: { first: string; last: string; recipients: number },
  now: number,
): Promise<void> {
  const { text, params } = inAudience(audience);
  const range = `${text} and c.id >= $4 and c.id <= $5`;
  // They run one after the other in the database; on PostgreSQL all are sent in one go.
  await Promise.all([
    tx.query(
      `insert into broadcast_notifications (job_id, channel_id, tenant_id, created_at)
     select cast($6 as text), c.id, c.tenant_id, cast($7 as bigint) from broadcast_channels c where ${range}`,
      [...params, first, last, jobId, now],
    ),
    tx.query(
      `insert into broadcast_pushes (job_id, channel_id)
     select cast($6 as text), c.id from broadcast_channels c where ${range}`,
      [...params, first, last, jobId],
    ),
    tx.query(
      `insert into broadcast_chunks (job_id, first_channel, last_channel, tenant_id, organization_id, recipients, push_state, created_at)
     values ($1, $2, $3, $4, $5, $6, 'PENDING', $7)`,
      [jobId, first, last, audience.tenantId, audience.organizationId, recipients, now],
    ),
  ]);
}
