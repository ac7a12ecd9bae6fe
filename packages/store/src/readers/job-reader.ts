import type { Attempt, JobState, Page, Scope } from "@andon/contract";
import type { JobRow, TimerKind } from "@andon/engine";
import { LAST_OF_CLAIM_LOG } from "../statements/claim-log.ts";
import { FIRST_TIMERS } from "../statements/first-timers.ts";
import { JOB_COLUMNS, jobRow, type RawJob } from "../statements/job-row.ts";
import { inScope, scopeValues } from "../steps/in-scope.ts";
import { readJobs } from "../steps/job-steps.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { tallies } from "./count-reader.ts";
import { positionsOf } from "./job-places.ts";

const attemptsOf = shared(
  "attempts-of",
  () => `select number, stage, outcome, worker, started_at as "startedAt", finished_at as "finishedAt", code, message, stack, texts
from andon_attempts where pos = @pos order by fence`,
);
const timerOf = shared("timer-of", () => "select due_at as due, kind from andon_timers where pos = @pos");
const aheadOf = shared(
  "ready-ahead",
  () => `select count(*) as ahead from (
  select 1 from andon_ready where queue = @queue and (rank, pos) < (@rank, @pos) order by rank, pos limit @most
) a`,
);
const blocker = shared(
  "line-blocker",
  () => `select (select j.id from andon_jobs j where j.pos = r.pos) as id, 'running' as kind, null as until
from andon_running r where r.queue = @queue
union all
select (select j.id from andon_jobs j where j.pos = t.pos), 'backoff', t.due_at
from andon_timers t where t.queue = @queue and t.kind = 'backoff'
limit 1`,
);
const firstTimers = shared("timers-first", () => FIRST_TIMERS);

const byIds = shared(
  "jobs-by-id",
  (d) => `select ${JOB_COLUMNS} from andon_job_states s
where s.id ${d.among("ids", "text")} and ${inScope("s.")}`,
);

export async function jobsById(at: StepContext, ids: readonly string[], scope: Scope): Promise<JobRow[]> {
  const rows = await at.session.all<RawJob>(byIds(at.dialect), {
    ids: at.dialect.array(ids),
    ...scopeValues(scope),
  });
  return rows.map(jobRow).sort((a, b) => a.pos - b.pos);
}

export async function attempts(at: StepContext, pos: number): Promise<Attempt[]> {
  const rows = await at.session.all<Omit<Attempt, "texts"> & { texts: string | null }>(
    attemptsOf(at.dialect),
    { pos },
  );
  return rows.map(({ texts, ...attempt }) => ({
    ...attempt,
    ...(texts === null ? {} : { texts: JSON.parse(texts) }),
  }));
}

export async function timer(at: StepContext, pos: number) {
  return (await at.session.all<{ due: number; kind: TimerKind }>(timerOf(at.dialect), { pos }))[0];
}

export async function jobs(
  at: StepContext,
  queue: string,
  state: JobState,
  page: number,
  limit: number,
): Promise<Page<JobRow>> {
  const counts = await tallies(at, queue);
  const total = state === "done" ? counts.done - counts.purged : counts[state];
  const offset = (page - 1) * limit;
  const positions = await positionsOf(at, queue, state, total, { offset, limit });
  const rows = new Map((await readJobs(at, positions)).map((row) => [row.pos, row]));
  return { total, page, limit, items: positions.flatMap((pos) => rows.get(pos) ?? []) };
}

export async function aheadInLine(at: StepContext, job: JobRow, most: number): Promise<number> {
  const values = { queue: job.queue, rank: 0 - job.priority, pos: job.pos, most };
  return (await at.session.all<{ ahead: number }>(aheadOf(at.dialect), values))[0]?.ahead ?? 0;
}

export async function lineBlocker(at: StepContext, queue: string) {
  const [row] = await at.session.all<{ id: string; kind: "running" | "backoff"; until: number | null }>(
    blocker(at.dialect),
    { queue },
  );
  return row && { jobId: row.id, kind: row.kind, until: row.until };
}

export async function nextDue(at: StepContext): Promise<number | undefined> {
  const first = await at.session.all<{ due: number | null }>(firstTimers(at.dialect), {});
  const times = first.flatMap(({ due }) => due ?? []);
  return times.length > 0 ? Math.min(...times) : undefined;
}

export async function dueQueues(at: StepContext, now: number): Promise<string[]> {
  const first = await at.session.all<{ queue: string; due: number | null }>(firstTimers(at.dialect), {});
  return first.flatMap(({ queue, due }) => (due !== null && due <= now ? queue : []));
}

const tenantRunning = shared(
  "running-of-tenant",
  () => `select count(*) as running from andon_running r
where r.queue = @queue and (select j.tenant from andon_jobs j where j.pos = r.pos) = @tenant`,
);
const recentStarts = shared(
  "claim-log-started-since",
  () => `select coalesce(sum(t.claimed), 0) as started from (
  select claimed, at from andon_claim_log where ${LAST_OF_CLAIM_LOG.where} and claimed > 0 order by ${LAST_OF_CLAIM_LOG.order} limit @most
) t where t.at > @since`,
);

export async function runningOfTenant(at: StepContext, queue: string, tenant: string): Promise<number> {
  return (
    (await at.session.all<{ running: number }>(tenantRunning(at.dialect), { queue, tenant }))[0]?.running ?? 0
  );
}

const stageRunning = shared(
  "running-in-stage",
  () => "select count(*) as running from andon_running where queue = @queue and stage = @stage",
);
const aheadInLineOfStage = shared(
  "ready-ahead-in-stage",
  () => `select count(*) as ahead from (
  select 1 from andon_ready where queue = @queue and stage = @stage and (rank, pos) < (@rank, @pos) order by rank, pos limit @most
) a`,
);

export async function inStage(at: StepContext, job: JobRow, most: number) {
  const place = { queue: job.queue, stage: job.stage };
  const line = { ...place, rank: 0 - job.priority, pos: job.pos, most };
  const [running] = await at.session.all<{ running: number }>(stageRunning(at.dialect), place);
  const [ready] = await at.session.all<{ ahead: number }>(aheadInLineOfStage(at.dialect), line);
  return { running: running?.running ?? 0, ahead: ready?.ahead ?? 0 };
}

export async function startedSince(
  at: StepContext,
  queue: string,
  since: number,
  most: number,
): Promise<number> {
  const [row] = await at.session.all<{ started: number }>(recentStarts(at.dialect), {
    queue,
    since,
    most,
  });
  return Number(row?.started ?? 0);
}
