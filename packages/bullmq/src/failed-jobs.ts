import { iso, isoOrNull } from "@andon/contract";
import { attemptsOf } from "./attempt-history.ts";

/** A job's hash in Redis, as BullMQ writes it. */
export type JobHash = Readonly<Record<string, string>>;

/** The subject of a job: the sync-event fields in its data, else its id and name. */
function describe(id: string, hash: JobHash) {
  const data = parsed(hash.data);
  const said = (typeof data === "object" && data !== null ? data : {}) as Record<string, unknown>;
  const text = (name: string, otherwise: string) =>
    typeof said[name] === "string" ? (said[name] as string) : otherwise;
  return {
    syncEventId: text("syncEventId", id),
    aggregateType: text("aggregateType", "JOB"),
    aggregateId: text("aggregateId", id),
    eventType: text("eventType", hash.name ?? ""),
    payload: "payload" in said ? said.payload : data,
  };
}

export type FailedItem = ReturnType<typeof failedItem>;

export function failedItem(id: string, hash: JobHash) {
  const { payload, ...about } = describe(id, hash);
  return {
    jobId: id,
    ...about,
    failedReason: hash.failedReason ?? "",
    attemptsMade: Number(hash.atm ?? 0),
    failedAt: iso(Number(hash.finishedOn ?? hash.timestamp)),
    data: payload,
  };
}

export type FailedDetail = ReturnType<typeof failedDetail>;

export function failedDetail(id: string, hash: JobHash) {
  const { data, ...item } = failedItem(id, hash);
  const stacks = parsed(hash.stacktrace);
  return {
    ...item,
    payload: data,
    stackTrace: Array.isArray(stacks) ? ((stacks.at(-1) as string | undefined) ?? null) : null,
    attempts: attempts(hash, item.attemptsMade, item.failedReason, item.failedAt),
    createdAt: iso(Number(hash.timestamp)),
  };
}

/** Without the guard the times of earlier attempts are not stored: only the last attempt is returned. */
function attempts(hash: JobHash, made: number, lastError: string, failedAt: string) {
  const written = attemptsOf(hash, made);
  if (written.length === 0) return [{ attemptNumber: made, error: lastError, timestamp: failedAt }];
  const first = made - written.length + 1;
  return written.map(({ at, error }, n) => ({
    attemptNumber: Math.max(first + n, 1),
    error,
    timestamp: iso(at),
  }));
}

/** The sync-event status of each BullMQ state; any other state is `PENDING`. */
const STATUS: Readonly<Record<string, "PENDING" | "PROCESSING" | "DONE" | "FAILED">> = {
  active: "PROCESSING",
  completed: "DONE",
  failed: "FAILED",
};

export type JobEvent = ReturnType<typeof jobEvent>;

/** A job in any state. `state` is BullMQ's state, or `resolved` for the record of a skipped job. */
export function jobEvent(queue: string, id: string, hash: JobHash, state: string) {
  const time = (field: string | undefined) => isoOrNull(field === undefined ? null : Number(field));
  return {
    ...describe(id, hash),
    jobId: id,
    queue,
    status: state === "resolved" ? ("MANUALLY_RESOLVED" as const) : (STATUS[state] ?? ("PENDING" as const)),
    attempts: Number(hash.atm ?? 0),
    lastError: hash.failedReason ?? null,
    createdAt: iso(Number(hash.timestamp)),
    startedAt: time(hash.processedOn),
    finishedAt: time(hash.finishedOn),
    resolvedBy: hash.resolvedBy ?? null,
    resolvedAt: time(hash.resolvedAt),
    resolutionNote: hash.resolutionNote ?? null,
  };
}

function parsed(json: string | undefined): unknown {
  if (json === undefined) return null;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
