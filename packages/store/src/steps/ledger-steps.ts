import {
  type AttemptOutcome,
  type EventData,
  type EventType,
  JOB_STATES,
  type StopCertificate,
} from "@andon/contract";
import type { NewAttempt, Signal } from "@andon/engine";
import { LAST_TURNS } from "../statements/turns.ts";
import { eachBatch, type StepContext, shared } from "./kit.ts";

/** Counts per state, how many done jobs were purged (`done` counts since the beginning), and how many lanes are held. */
export const TALLIED = [...JOB_STATES, "purged", "held"] as const;
export type Tally = Record<(typeof TALLIED)[number], number>;

const attempt = shared(
  "attempt-add",
  () => `insert into andon_attempts (pos, fence, number, outcome, worker, started_at, finished_at, code, message, stack)
values (@pos, @fence, @number, @outcome, @worker, @startedAt, @finishedAt, @code, @message, @stack)`,
);
const attemptsDrop = shared(
  "attempts-drop-outcome",
  () => "delete from andon_attempts where pos = @pos and outcome = @outcome",
);
const EVENT = { type: "text", queue: "text", job_id: "text", data: "text" } as const;
const addAll = shared(
  "events-add",
  (d) => `insert into andon_events (type, at, queue, job_id, tenant, data)
select r.type, cast(@at as bigint), r.queue, r.job_id, (select j.tenant from andon_jobs j where j.id = r.job_id), r.data
from ${d.records("events", EVENT)} order by r.n`,
);
const feedLock = shared("feed-lock", (d) => d.feedLock ?? "select 1");
const tally = shared(
  "tally-add",
  () => `insert into andon_tallies (queue, merged, ${TALLIED.join(", ")})
values (@queue, @merged, ${TALLIED.map((column) => `@${column}`).join(", ")})`,
);
const stop = shared(
  "stop-add",
  () => `insert into andon_stops
  (id, queue, epoch, at, kind, actor, reason, job_id, error_code, error_message, in_flight, last_turn, last_started)
values
  (@id, @queue, @epoch, @at, @kind, @actor, @reason, @jobId, @errorCode, @errorMessage, @inFlight, @lastTurn, @lastStarted)`,
);
const closeStopOne = shared(
  "stop-close",
  () => "update andon_stops set resumed_at = @at, resumed_by = @actor where id = @id",
);
const lastClaimOf = shared(
  "turn-last-claim",
  () => `select id, worker, at, started from andon_turns
where ${LAST_TURNS.where} and claimed > 0 order by ${LAST_TURNS.order} limit 1`,
);
const moveStamp = shared(
  "turn-stamp-starts",
  (d) =>
    `update andon_turns set at = @to where queue = @queue and id ${d.amongRows(`select t.id from (
  select id, worker, at from andon_turns where ${LAST_TURNS.where} and claimed > 0 order by ${LAST_TURNS.order} limit @most
) t where t.worker = @worker and t.at = @from`)}`,
);
const idOf = shared("job-id", () => "select id from andon_jobs where pos = @pos");

export async function addAttempt(at: StepContext, row: NewAttempt): Promise<void> {
  await at.session.run(attempt(at.dialect), { ...row });
}

export async function dropAttempts(at: StepContext, pos: number, outcome: AttemptOutcome): Promise<void> {
  await at.session.run(attemptsDrop(at.dialect), { pos, outcome });
}

export interface PendingEvent {
  readonly type: EventType;
  readonly queue: string | null;
  readonly jobId: string | null;
  readonly data: EventData[EventType];
}

/** Written last: the lock makes the ids of the feed follow the order of commits, so that a reader never misses one. */
export async function addEvents(at: StepContext, events: readonly PendingEvent[]): Promise<void> {
  if (events.length === 0) return;
  const locked = at.dialect.feedLock ? at.session.all(feedLock(at.dialect), {}) : undefined;
  const added = eachBatch(events, (batch) => {
    const rows = batch.map(({ type, queue, jobId, data }, n) => ({
      n,
      type,
      queue,
      job_id: jobId,
      data: JSON.stringify(data),
    }));
    return at.session.run(addAll(at.dialect), { at: at.now, events: JSON.stringify(rows) });
  });
  await Promise.all([locked, added]);
}

export async function addTally(
  at: StepContext,
  queue: string,
  changes: Partial<Tally>,
  merged = 0,
): Promise<void> {
  const values: Record<string, unknown> = { queue, merged };
  for (const column of TALLIED) values[column] = changes[column] ?? 0;
  await at.session.run(tally(at.dialect), values);
}

export async function addStop(at: StepContext, certificate: StopCertificate): Promise<void> {
  const { error, inFlight, lastStarted, resumedAt, resumedBy, ...plain } = certificate;
  await at.session.run(stop(at.dialect), {
    ...plain,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    inFlight: JSON.stringify(inFlight),
    lastStarted: lastStarted === null ? null : JSON.stringify(lastStarted),
  });
}

export async function closeStop(at: StepContext, id: string, when: number, actor: string): Promise<void> {
  await at.session.run(closeStopOne(at.dialect), { id, at: when, actor });
}

/** As many turns back as others may have claimed while one was answered. */
const MOST_TURNS_BACK = 1_000;

export async function stampStarts(
  at: StepContext,
  queue: string,
  worker: string,
  from: number,
  to: number,
): Promise<boolean> {
  return (
    (await at.session.run(moveStamp(at.dialect), { queue, worker, from, to, most: MOST_TURNS_BACK })) > 0
  );
}

export async function lastClaim(at: StepContext, queue: string) {
  const [turn] = await at.session.all<{ id: number; worker: string; at: number; started: string }>(
    lastClaimOf(at.dialect),
    { queue },
  );
  if (!turn) return undefined;
  const pos = Number(turn.started.split(",").at(-1));
  const [job] = await at.session.all<{ id: string }>(idOf(at.dialect), { pos });
  return { turn: turn.id, worker: turn.worker, at: turn.at, jobId: job?.id ?? null };
}

const notifyOthers = shared("notify", (d) => d.notify ?? "select @payload");

/** Signals that leave with the commit, where the database can do that; elsewhere the others look by themselves. */
export async function notify(at: StepContext, signals: readonly Signal[]): Promise<void> {
  if (at.dialect.notify)
    await at.session.all(notifyOthers(at.dialect), { payload: JSON.stringify({ from: null, signals }) });
}
