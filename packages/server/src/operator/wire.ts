import type { Attempt, AuditRow, FeedEvent, Job, Page } from "@andon/contract";

/** Rows of the engine as the wire shows them: times in ISO 8601, a tenant called `tenantId`. */

export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** A time that a caller gave, as the engine has it. */
export const millisecondsOf = (given: string | undefined): number | undefined =>
  given === undefined ? undefined : Date.parse(given);

export function wirePage<Row, Item>(page: Page<Row>, item: (row: Row) => Item) {
  const { total, page: number, limit, items, more } = page;
  return { total, page: number, limit, items: items.map(item), ...(more ? { more: true as const } : {}) };
}

export function wireJob(job: Job) {
  return {
    id: job.id,
    ticket: job.ticket,
    queue: job.queue,
    name: job.name,
    tenantId: job.tenant,
    state: job.state,
    keys: job.keys,
    seq: job.seq,
    priority: job.priority,
    attempts: job.attempts,
    runAt: isoOrNull(job.runAt),
    createdAt: iso(job.createdAt),
    startedAt: isoOrNull(job.startedAt),
    finishedAt: isoOrNull(job.finishedAt),
    worker: job.worker,
    error: job.error,
    traceId: job.traceId,
  };
}

export function wireAttempt(attempt: Attempt) {
  return { ...attempt, startedAt: iso(attempt.startedAt), finishedAt: iso(attempt.finishedAt) };
}

export function wireAudit({ id, actor, at, action, target, reason, before, after }: AuditRow) {
  return { id, actor, at: iso(at), action, target, reason, before, after };
}

export function wireEvent({ id, type, at, queue, jobId, data }: FeedEvent) {
  return { id, type, at: iso(at), queue, jobId, data };
}
