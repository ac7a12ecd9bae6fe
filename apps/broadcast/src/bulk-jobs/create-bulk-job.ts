import type { Throttle } from "@andon/contract";
import type { Queue, Tx } from "@andon/engine";
import type { ChannelOwner } from "../channels/store-channels.ts";
import type { BulkPayload } from "./bulk-payload.ts";

export interface NewBulkJob extends ChannelOwner {
  readonly category: string;
  readonly title: string;
  readonly body: string;
  readonly scheduledAt: number | null;
  readonly chunkSize: number;
  readonly throttle: Throttle;
  readonly createdBy: string;
  readonly traceId: string;
}

/** Makes a bulk job: its rows and its job in the engine, in one transaction. */
export async function createBulkJob(
  tx: Tx,
  queue: Queue<unknown>,
  job: NewBulkJob,
  now: number,
): Promise<string> {
  const { tenantId, organizationId, category, title, body, chunkSize, throttle, scheduledAt } = job;
  const payload: BulkPayload = { category, title, organizationId, chunkSize, throttle };
  const { id } = await queue.add(payload, {
    tx,
    // Lanes are separate per tenant, so one job runs at a time per tenant and category.
    key: category,
    tenant: tenantId,
    organization: organizationId ?? undefined,
    name: "bulk-job",
    traceId: job.traceId,
    ...(scheduledAt === null ? {} : { runAt: scheduledAt }),
  });
  await tx.query(
    `insert into broadcast_jobs (id, tenant_id, organization_id, category, chunk_size, pause_ms, max_per_second, scheduled_at,
       created_by, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      tenantId,
      organizationId,
      category,
      chunkSize,
      throttle.pauseMs,
      throttle.maxPerSecond,
      scheduledAt,
      job.createdBy,
      now,
    ],
  );
  await tx.query(
    `insert into broadcast_messages (job_id, tenant_id, organization_id, category, title, body)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, tenantId, organizationId, category, title, body],
  );
  return id;
}
