import {
  type Attempt,
  type AuditRow,
  type FeedEvent,
  iso,
  isoOrNull,
  type Job,
  type Page,
} from "@andon/contract";

/** Rows of the engine as the wire shows them: times in ISO 8601, a tenant called `tenantId`. */

/** Names of times in what is stored as JSON: facts of an explanation, rows of the feed and of the audit log. */
const TIME_NAME = /^(at|since|due|until|first|last)$|At$/;
/** What a user's own program wrote. A number of theirs is theirs, whatever it is called. */
const FOREIGN: ReadonlySet<string> = new Set(["payload", "progress"]);

/** A copy with the times in it as the wire shows them. */
export function withIsoTimes<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => withIsoTimes(item)) as T;
  if (typeof value !== "object" || value === null) return value;
  const shown = ([name, member]: [string, unknown]) => {
    if (FOREIGN.has(name)) return [name, member];
    return [name, typeof member === "number" && TIME_NAME.test(name) ? iso(member) : withIsoTimes(member)];
  };
  return Object.fromEntries(Object.entries(value).map(shown)) as T;
}

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
  return {
    id,
    actor,
    at: iso(at),
    action,
    target,
    reason,
    before: withIsoTimes(before),
    after: withIsoTimes(after),
  };
}

export function wireEvent({ id, type, at, queue, jobId, data }: FeedEvent) {
  return { id, type, at: iso(at), queue, jobId, data: withIsoTimes(data) };
}
