import {
  type Attempt,
  type AuditRow,
  type FeedEvent,
  iso,
  isoOrNull,
  type Job,
  type JobStage,
  type Language,
  localError,
  type Page,
} from "@andon/contract";
import { type BulkBoundary, bulkStateOf, type JobRow } from "@andon/engine";

/** Rows of the engine in the format of the API: times in ISO 8601, the tenant as `tenantId`. */

/** The names of times in stored JSON: facts of an explanation, rows of the feed and of the audit log. */
const TIME_NAME = /^(at|since|due|until|first|last)$|At$/;
/** Members written by a user's own program. Their numbers are not changed, whatever their names. */
const FOREIGN: ReadonlySet<string> = new Set(["payload", "progress", "cursor"]);

/** A copy with its times in ISO 8601. */
export function withIsoTimes<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => withIsoTimes(item)) as T;
  if (typeof value !== "object" || value === null) return value;
  const shown = ([name, member]: [string, unknown]) => {
    if (FOREIGN.has(name)) return [name, member];
    return [name, typeof member === "number" && TIME_NAME.test(name) ? iso(member) : withIsoTimes(member)];
  };
  return Object.fromEntries(Object.entries(value).map(shown)) as T;
}

/** A caller's time in milliseconds, for the engine. */
export const millisecondsOf = (given: string | undefined): number | undefined =>
  given === undefined ? undefined : Date.parse(given);

export function wirePage<Row, Item>(page: Page<Row>, item: (row: Row) => Item) {
  const { total, page: number, limit, items, more } = page;
  return { total, page: number, limit, items: items.map(item), ...(more ? { more: true as const } : {}) };
}

export function wireJob(job: Job, language: Language) {
  return {
    id: job.id,
    ticket: job.ticket,
    queue: job.queue,
    name: job.name,
    tenantId: job.tenant,
    organizationId: job.organization,
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
    error: job.error && localError(job.error, language),
    traceId: job.traceId,
    ...(job.stage === null ? {} : { stage: job.stage }),
  };
}

export function wireStage(stage: JobStage) {
  return { ...stage, startedAt: isoOrNull(stage.startedAt), finishedAt: isoOrNull(stage.finishedAt) };
}

/** The members that only jobs with stages have. */
export function wireStages(job: Job, stages: readonly JobStage[]) {
  return job.stage === null ? {} : { stages: stages.map(wireStage), outputs: job.outputs };
}

export function wireAttempt(attempt: Attempt, language: Language) {
  return {
    ...localError(attempt, language),
    startedAt: iso(attempt.startedAt),
    finishedAt: iso(attempt.finishedAt),
  };
}

/** The progress of a bulk job; null for other jobs. */
export function wireBulk(job: JobRow, bulk: BulkBoundary | undefined) {
  if (!bulk) return null;
  const {
    jobId: _id,
    state: _state,
    isThrottleStored: _stored,
    abort,
    receipt,
    ...rest
  } = bulkStateOf(job, bulk);
  return {
    ...rest,
    estimatedEndAt: isoOrNull(rest.estimatedEndAt),
    lastChunkAt: isoOrNull(rest.lastChunkAt),
    resumedAt: isoOrNull(rest.resumedAt),
    abort: abort && { ...abort, requestedAt: iso(abort.requestedAt) },
    receipt: receipt && {
      ...receipt,
      requestedAt: iso(receipt.requestedAt),
      stoppedAt: iso(receipt.stoppedAt),
    },
  };
}

export function wireAudit(
  { id, actor, at, action, target, reason, before, after }: AuditRow,
  language: Language,
) {
  return {
    id,
    actor,
    at: iso(at),
    action,
    target,
    reason,
    before: withIsoTimes(localData(before, language)),
    after: withIsoTimes(localData(after, language)),
  };
}

export function wireEvent({ id, type, at, queue, jobId, data }: FeedEvent, language: Language) {
  return { id, type, at: iso(at), queue, jobId, data: withIsoTimes(localData(data, language)) };
}

/** Translates our errors in an event or audit row into the reader's language. */
function localData<Data>(data: Data, language: Language): Data {
  if (typeof data !== "object" || data === null) return data;
  if ("texts" in data) return localError(data as never, language) as Data;
  if (!("error" in data)) return data;
  return { ...data, error: localData(data.error, language) };
}
