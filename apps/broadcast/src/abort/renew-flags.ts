import { setTimeout as wait } from "node:timers/promises";
import { type BroadcastContext, BULK_QUEUE } from "../broadcast-context.ts";

const MOST_ABORTING = 1_000;

/**
 * Sets the flags of jobs that are still aborting again before they expire, and also after Redis has lost them. Ends with the
 * signal.
 */
export async function renewFlags(context: BroadcastContext, signal: AbortSignal): Promise<void> {
  if (!context.flags.isSeparate) return;
  while (!signal.aborted) {
    // The store carries the same aborts, so an error here can wait for the next round.
    await renewOnce(context).catch(() => {});
    await wait(context.flags.renewEveryMs, undefined, { signal }).catch(() => {});
  }
}

async function renewOnce({ andon, queue, flags }: BroadcastContext): Promise<void> {
  const running = await andon.store.query<{ id: string; tenantId: string }>(
    `select id, tenant_id as "tenantId" from broadcast_job_states where job_state = 'running' limit ${MOST_ABORTING}`,
  );
  const tenants = new Map(running.map(({ id, tenantId }) => [id, tenantId]));
  for (const { jobId, state, abort } of await queue(BULK_QUEUE).bulkStates([...tenants.keys()])) {
    if (state !== "running" || !abort) continue;
    await flags.renew(jobId, { ...abort, tenantId: tenants.get(jobId) ?? null, organizationId: null });
  }
}
