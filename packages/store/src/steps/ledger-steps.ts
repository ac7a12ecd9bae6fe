import {
  type AttemptOutcome,
  type EventData,
  type EventType,
  JOB_STATES,
  type Scope,
  type StopCertificate,
} from "@andon/contract";
import type { NewAttempt, Signal } from "@andon/engine";
import { LAST_OF_CLAIM_LOG } from "../statements/claim-log.ts";
import { scopeValues } from "./in-scope.ts";
import { eachBatch, type StepContext, shared } from "./statement-registry.ts";

/** Counts per state, plus the purged done jobs (`done` counts since the beginning) and the held lanes. */
export const TALLIED = [...JOB_STATES, "purged", "held"] as const;
export type Tally = Record<(typeof TALLIED)[number], number>;
/** Counters that only grow, for the history: a merged row has none. */
const HAPPENED = ["failures", "attempts_failed"] as const;
export type Happened = Record<(typeof HAPPENED)[number], number>;

const attempt = shared(
  "attempt-add",
  () => `insert into andon_attempts (pos, fence, number, stage, outcome, worker, started_at, finished_at, code, message, stack, texts)
values (@pos, @fence, @number, @stage, @outcome, @worker, @startedAt, @finishedAt, @code, @message, @stack, @texts)`,
);
const attemptsDrop = shared(
  "attempts-drop-outcome",
  () => "delete from andon_attempts where pos = @pos and outcome = @outcome",
);
const EVENT = {
  type: "text",
  queue: "text",
  job_id: "text",
  tenant: "text",
  organization: "text",
  data: "text",
} as const;
const addAll = shared(
  "events-add",
  (d) => `insert into andon_events (type, at, queue, job_id, tenant, organization, data)
select r.type, cast(@at as bigint), r.queue, r.job_id,
  coalesce(r.tenant, (select j.tenant from andon_jobs j where j.id = r.job_id)),
  coalesce(r.organization, (select j.organization from andon_jobs j where j.id = r.job_id)), r.data
from ${d.records("events", EVENT)} order by r.n`,
);
const feedLock = shared("feed-lock", (d) => d.feedLock ?? "select 1");
const tally = shared(
  "tally-add",
  () => `insert into andon_tallies (queue, merged, at, ${[...TALLIED, ...HAPPENED].join(", ")})
values (@queue, @merged, @at, ${[...TALLIED, ...HAPPENED].map((column) => `@${column}`).join(", ")})`,
);
const stop = shared(
  "stop-add",
  () => `insert into andon_stops
  (id, queue, epoch, at, kind, actor, reason, job_id, error_code, error_message, error_texts, in_flight, last_claim, last_started)
values
  (@id, @queue, @epoch, @at, @kind, @actor, @reason, @jobId, @errorCode, @errorMessage, @errorTexts, @inFlight, @lastClaim, @lastStarted)`,
);
const closeStopOne = shared(
  "stop-close",
  () => "update andon_stops set resumed_at = @at, resumed_by = @actor where id = @id",
);
const lastClaimOf = shared(
  "claim-log-last-claim",
  () => `select id, worker, at, started from andon_claim_log
where ${LAST_OF_CLAIM_LOG.where} and claimed > 0 order by ${LAST_OF_CLAIM_LOG.order} limit 1`,
);
const moveStamp = shared(
  "claim-log-stamp-starts",
  (d) =>
    `update andon_claim_log set at = @to where queue = @queue and id ${d.amongRows(`select t.id from (
  select id, worker, at from andon_claim_log where ${LAST_OF_CLAIM_LOG.where} and claimed > 0 order by ${LAST_OF_CLAIM_LOG.order} limit @most
) t where t.worker = @worker and t.at = @from`)}`,
);
const idOf = shared("job-id", () => "select id from andon_jobs where pos = @pos");

export async function addAttempt(at: StepContext, row: NewAttempt): Promise<void> {
  const texts = row.texts && JSON.stringify(row.texts);
  await at.session.run(attempt(at.dialect), { ...row, texts });
}

export async function dropAttempts(at: StepContext, pos: number, outcome: AttemptOutcome): Promise<void> {
  await at.session.run(attemptsDrop(at.dialect), { pos, outcome });
}

export interface PendingEvent {
  readonly type: EventType;
  readonly queue: string | null;
  readonly jobId: string | null;
  readonly data: EventData[EventType];
  readonly scope?: Scope;
}

/** Written last: the lock makes the ids of the feed follow the order of commits, so that a reader misses none. */
export async function addEvents(at: StepContext, events: readonly PendingEvent[]): Promise<void> {
  if (events.length === 0) return;
  const locked = at.dialect.feedLock ? at.session.all(feedLock(at.dialect), {}) : undefined;
  const added = eachBatch(events, (batch) => {
    const rows = batch.map(({ type, queue, jobId, data, scope }, n) => ({
      n,
      type,
      queue,
      job_id: jobId,
      ...scopeValues(scope),
      data: JSON.stringify(data),
    }));
    return at.session.run(addAll(at.dialect), { at: at.now, events: JSON.stringify(rows) });
  });
  await Promise.all([locked, added]);
}

export async function addTally(
  at: StepContext,
  queue: string,
  changes: Partial<Tally & Happened>,
  merged = 0,
): Promise<void> {
  const values: Record<string, unknown> = { queue, merged, at: at.now };
  for (const column of [...TALLIED, ...HAPPENED]) values[column] = changes[column] ?? 0;
  await at.session.run(tally(at.dialect), values);
}

export async function addStop(at: StepContext, certificate: StopCertificate): Promise<void> {
  const { error, inFlight, lastStarted, resumedAt, resumedBy, ...plain } = certificate;
  await at.session.run(stop(at.dialect), {
    ...plain,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    errorTexts: error?.texts ? JSON.stringify(error.texts) : null,
    inFlight: JSON.stringify(inFlight),
    lastStarted: lastStarted === null ? null : JSON.stringify(lastStarted),
  });
}

export async function closeStop(at: StepContext, id: string, when: number, actor: string): Promise<void> {
  await at.session.run(closeStopOne(at.dialect), { id, at: when, actor });
}

/** As many entries back as others may have written while one claim was being answered. */
const MOST_ENTRIES_BACK = 1_000;

export async function stampStarts(
  at: StepContext,
  queue: string,
  worker: string,
  from: number,
  to: number,
): Promise<boolean> {
  return (
    (await at.session.run(moveStamp(at.dialect), { queue, worker, from, to, most: MOST_ENTRIES_BACK })) > 0
  );
}

export async function lastClaim(at: StepContext, queue: string) {
  const [entry] = await at.session.all<{ id: number; worker: string; at: number; started: string }>(
    lastClaimOf(at.dialect),
    { queue },
  );
  if (!entry) return undefined;
  const pos = Number(entry.started.split(",").at(-1));
  const [job] = await at.session.all<{ id: string }>(idOf(at.dialect), { pos });
  return { entry: entry.id, worker: entry.worker, at: entry.at, jobId: job?.id ?? null };
}

const notifyOthers = shared("notify", (d) => d.notify ?? "select @payload");

/** Sends signals with the commit, if the database can do that; otherwise other processes find the change by polling. */
export async function notify(at: StepContext, signals: readonly Signal[]): Promise<void> {
  if (at.dialect.notify)
    await at.session.all(notifyOthers(at.dialect), { payload: JSON.stringify({ from: null, signals }) });
}
