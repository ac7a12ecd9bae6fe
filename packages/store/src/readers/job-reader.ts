import type { Attempt, JobState, Page } from "@andon/contract";
import type { JobRow } from "@andon/engine";
import { readJobs } from "../steps/job-steps.ts";
import { type StepContext, shared } from "../steps/kit.ts";
import { tallies } from "./count-reader.ts";

const attemptsOf = shared(
  "attempts-of",
  () => `select number, outcome, worker, started_at as "startedAt", finished_at as "finishedAt", code, message, stack
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
  () => `select j.id, 'running' as kind, null as until from andon_running r join andon_jobs j on j.pos = r.pos where r.queue = @queue
union all
select j.id, 'backoff', t.due_at from andon_timers t join andon_jobs j on j.pos = t.pos
where t.queue = @queue and t.kind = 'backoff'
limit 1`,
);
const nextDueAt = shared("timers-next", () => "select min(due_at) as due from andon_timers");
const dueQueueNames = shared(
  "timers-queues",
  () => "select distinct queue from andon_timers where due_at <= @now",
);

/** Where jobs of a state are found without reading the ones of other states; `done` goes through the ledger of turns. */
const PLACES: Record<Exclude<JobState, "done">, string> = {
  scheduled: "select pos from andon_timers where queue = @queue order by due_at, pos",
  ready: "select pos from andon_ready where queue = @queue order by rank, pos",
  running: "select pos from andon_running where queue = @queue order by pos",
  blocked: `select distinct m.pos from andon_lane_jobs m join andon_lanes l on l.queue = m.queue and l.lane_key = m.lane_key
where m.queue = @queue and m.seq <> l.head_seq order by m.pos`,
  parked: aside("parked"),
  failed: aside("failed"),
  cancelled: aside("cancelled"),
  skipped: aside("skipped"),
  resolved: aside("resolved"),
  aborted: aside("aborted"),
};

function aside(state: JobState): string {
  return `select pos from andon_aside where queue = @queue and state = '${state}' order by at desc, pos desc`;
}

const pages = Object.fromEntries(
  Object.entries(PLACES).map(([state, place]) => [
    state,
    shared(`jobs-${state}`, () => `${place} limit @limit offset @offset`),
  ]),
);
const doneTurns = shared(
  "jobs-done",
  () =>
    `select done, finished from andon_turns where queue = @queue and done > 0 order by id desc limit @most`,
);

export async function attempts(at: StepContext, pos: number): Promise<Attempt[]> {
  return at.session.all<Attempt>(attemptsOf(at.dialect), { pos });
}

export async function timer(at: StepContext, pos: number) {
  return (await at.session.all<{ due: number; kind: "later" | "backoff" }>(timerOf(at.dialect), { pos }))[0];
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
  const positions =
    state === "done"
      ? await donePositions(at, queue, offset, limit)
      : await positionsOf(at, queue, state, offset, limit);
  const rows = new Map((await readJobs(at, positions)).map((row) => [row.pos, row]));
  return { total, page, limit, items: positions.flatMap((pos) => rows.get(pos) ?? []) };
}

async function positionsOf(
  at: StepContext,
  queue: string,
  state: JobState,
  offset: number,
  limit: number,
): Promise<number[]> {
  const statement = (pages[state] as ReturnType<typeof shared>)(at.dialect);
  return (await at.session.all<{ pos: number }>(statement, { queue, limit, offset })).map((row) => row.pos);
}

async function donePositions(
  at: StepContext,
  queue: string,
  offset: number,
  limit: number,
): Promise<number[]> {
  const turns = await at.session.all<{ done: number; finished: string }>(doneTurns(at.dialect), {
    queue,
    most: offset + limit,
  });
  const positions: number[] = [];
  let skip = offset;
  for (const turn of turns) {
    if (positions.length >= limit) break;
    if (skip >= turn.done) {
      skip -= turn.done;
      continue;
    }
    positions.push(...turn.finished.split(",").map(Number).reverse().slice(skip));
    skip = 0;
  }
  return positions.slice(0, limit);
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
  return (await at.session.all<{ due: number | null }>(nextDueAt(at.dialect), {}))[0]?.due ?? undefined;
}

export async function dueQueues(at: StepContext, now: number): Promise<string[]> {
  return (await at.session.all<{ queue: string }>(dueQueueNames(at.dialect), { now })).map(
    (row) => row.queue,
  );
}

const tenantRunning = shared(
  "running-of-tenant",
  () => `select count(*) as running from andon_running r join andon_jobs j on j.pos = r.pos
where r.queue = @queue and j.tenant = @tenant`,
);
const recentStarts = shared(
  "turns-started-since",
  () => `select coalesce(sum(t.claimed), 0) as started from (
  select claimed, at from andon_turns where queue = @queue and claimed > 0 order by id desc limit @most
) t where t.at > @since`,
);

export async function runningOfTenant(at: StepContext, queue: string, tenant: string): Promise<number> {
  return (
    (await at.session.all<{ running: number }>(tenantRunning(at.dialect), { queue, tenant }))[0]?.running ?? 0
  );
}

export async function startedSince(
  at: StepContext,
  queue: string,
  since: number,
  most: number,
): Promise<number> {
  const [row] = await at.session.all<{ started: number }>(recentStarts(at.dialect), { queue, since, most });
  return Number(row?.started ?? 0);
}
