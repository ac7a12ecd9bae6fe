import type { JobPatch, JobReference, JobRow, RunningRow } from "@andon/engine";
import { JOB_COLUMNS, jobRow, type RawJob } from "../statements/job-row.ts";
import { perDialect, type StepContext, shared } from "./kit.ts";

/** Whoever asks for one tenant is not told that another's job exists. */
const inScope = "(cast(@tenant as text) is null or s.tenant = @tenant)";
const byId = shared(
  "job-by-id",
  () => `select ${JOB_COLUMNS} from andon_job_states s where s.id = @id and ${inScope}`,
);
const byPos = shared(
  "job-by-pos",
  () => `select ${JOB_COLUMNS} from andon_job_states s where s.pos = @pos and ${inScope}`,
);
/** A ticket is the job's number until it is queued by hand again and draws a new one. */
const byTicket = shared(
  "job-by-ticket",
  () => `select ${JOB_COLUMNS} from andon_job_states s where s.ticket = @ticket and ${inScope}
union all
select ${JOB_COLUMNS} from andon_job_states s where s.pos = @ticket and s.ticket is null and ${inScope}`,
);
const ofOpen = (column: string, from: string) =>
  `case when j.state = 'open' then (select ${column} from ${from}) end`;
const claim = "andon_running r where r.queue = j.queue and r.pos = j.pos";
/**
 * The view's columns by subqueries: with its joins PostgreSQL may plan, while the line is empty, to read all of it for each
 * job, and keeps that plan. A step of 100 jobs among 24,000 in line took 0.25 s.
 */
const many = shared(
  "jobs-by-pos",
  (d) => `select ${JOB_COLUMNS} from (
  select p.*, case
    when p.state <> 'open' then p.state
    when p.running_fence is not null then 'running'
    when p.due_at is not null then 'scheduled'
    when p.in_line is not null then 'ready'
    else 'blocked'
  end as job_state
  from (
    select j.*, ${ofOpen("r.worker", claim)} as running_worker, ${ofOpen("r.started_at", claim)} as running_since,
      ${ofOpen("r.fence", claim)} as running_fence, ${ofOpen("t.due_at", "andon_timers t where t.pos = j.pos")} as due_at,
      ${ofOpen("w.pos", "andon_ready w where w.queue = j.queue and w.rank = j.rank and w.pos = j.pos")} as in_line
    from andon_jobs j where j.pos ${d.among("positions", "bigint")}
  ) p
) s`,
);
/** `+ 0`: in the order of the index PostgreSQL would walk all of it, two seconds among a million jobs. */
const lockRows = shared(
  "jobs-lock",
  (d) =>
    `select pos from andon_jobs where pos ${d.among("positions", "bigint")} order by pos + 0${d.forUpdate}`,
);
const lockClaims = shared(
  "claims-lock",
  (d) =>
    `select pos from andon_running
where queue ${d.amongRows(`select queue from andon_jobs where pos ${d.among("positions", "bigint")}`)}
  and pos ${d.among("positions", "bigint")}
order by pos${d.forUpdate}`,
);

const COLUMNS: Record<keyof Omit<JobPatch, "ticket" | "error" | "resolution">, string> = {
  state: "state",
  attempts: "attempts",
  stalled: "stalled",
  fence: "fence",
  runAt: "run_at",
  startedAt: "started_at",
  finishedAt: "finished_at",
  worker: "worker",
  result: "result",
  progress: "progress",
};

const reserve = shared("tickets-reserve", (d) => d.reserveNumbers ?? "select 1");
const setTickets = shared("tickets-set", (d) => d.setTickets);
const take = shared(
  "running-take",
  () => `delete from andon_running where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos and fence = @fence
returning pos, queue, worker, fence, started_at, cancel_actor, cancel_reason`,
);
/** The row is locked only by who ends the claim or stores a checkpoint, just before the commit: a wish waits for no handler. */
const wish = shared(
  "running-wish-cancel",
  () => `update andon_running
set cancel_actor = coalesce(cancel_actor, @actor), cancel_reason = case when cancel_actor is null then @reason else cancel_reason end
where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos
returning pos, queue, worker, fence, started_at, cancel_actor, cancel_reason`,
);
/** A cursor that moves is a sign of life: losses are counted anew. One that stays may be what kills its workers. */
const checkpoint = shared(
  "job-checkpoint",
  () => `update andon_jobs set cursor = @cursor, progress = coalesce(@progress, progress),
  stalled = case when cursor is distinct from @cursor then 0 else stalled end
where pos = @pos and exists (
  select 1 from andon_running r
  where r.queue = (select j.queue from andon_jobs j where j.pos = @pos) and r.pos = @pos and r.fence = @fence
    and r.cancel_actor is null
)`,
);
const holdClaim = shared(
  "running-hold",
  (d) =>
    `select pos from andon_running
where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos and fence = @fence and cancel_actor is null${d.forUpdate}`,
);
/** The id by a subquery: with a join PostgreSQL may walk all jobs to find the few that run (300 ms among 40,000). */
const running = shared(
  "running-list",
  () => `select r.pos, (select j.id from andon_jobs j where j.pos = r.pos) as id, r.queue, r.worker, r.fence, r.started_at,
  r.cancel_actor, r.cancel_reason
from andon_running r
where (cast(@queue as text) is null or r.queue = @queue) and (cast(@worker as text) is null or r.worker = @worker)
order by r.queue, r.pos`,
);
const runningOne = shared(
  "running-one",
  () => `select r.pos, (select j.id from andon_jobs j where j.pos = @pos) as id, r.queue, r.worker, r.fence, r.started_at,
  r.cancel_actor, r.cancel_reason
from andon_running r where r.queue = (select j.queue from andon_jobs j where j.pos = @pos) and r.pos = @pos`,
);

interface RawRunning {
  pos: number;
  id?: string;
  queue: string;
  worker: string;
  fence: number;
  started_at: number;
  cancel_actor: string | null;
  cancel_reason: string | null;
}

export async function readJob(
  at: StepContext,
  reference: JobReference,
  tenant: string | null = null,
): Promise<JobRow | undefined> {
  const rows = await readRaw(at, reference, tenant);
  const inQueue = "queue" in reference ? rows.find((row) => row.queue === reference.queue) : rows[0];
  return inQueue && jobRow(inQueue);
}

async function readRaw(at: StepContext, reference: JobReference, tenant: string | null): Promise<RawJob[]> {
  if ("id" in reference) return at.session.all(byId(at.dialect), { id: reference.id, tenant });
  if ("pos" in reference) return at.session.all(byPos(at.dialect), { pos: reference.pos, tenant });
  if (!/^\d{1,15}$/.test(reference.ticket)) return [];
  return at.session.all(byTicket(at.dialect), { ticket: Number(reference.ticket), tenant });
}

/** Some 10 ms on SQLite, where a process does nothing else meanwhile; a decision about all failed jobs reads any number. */
const MOST_READ_AT_ONCE = 1_000;

export async function readJobs(at: StepContext, positions: readonly number[]): Promise<JobRow[]> {
  const jobs: JobRow[] = [];
  for (let from = 0; from < positions.length; from += MOST_READ_AT_ONCE) {
    const some = at.dialect.array(positions.slice(from, from + MOST_READ_AT_ONCE));
    for (const raw of await at.session.all<RawJob>(many(at.dialect), { positions: some }))
      jobs.push(jobRow(raw));
  }
  return jobs.sort((a, b) => a.pos - b.pos);
}

/**
 * Claims before jobs, as a completion does. They are locked first and read by a later statement, which then sees what
 * the locks waited for.
 */
export async function lockJobs(at: StepContext, positions: readonly number[]): Promise<JobRow[]> {
  if (positions.length === 0) return [];
  const values = { positions: at.dialect.array(positions) };
  // One after the other in the database; on PostgreSQL they go out together.
  const [, , jobs] = await Promise.all([
    at.session.all(lockClaims(at.dialect), values),
    at.session.all(lockRows(at.dialect), values),
    readJobs(at, positions),
  ]);
  return jobs;
}

const patchStatements = new Map<string, ReturnType<typeof perDialect>>();

/** One statement per set of changed columns; the sets are few and fixed by the verbs. */
export async function saveJobs(
  at: StepContext,
  positions: readonly number[],
  patch: JobPatch,
): Promise<void> {
  if (positions.length === 0) return;
  const { ticket, error, resolution, ...plain } = patch;
  const values: Record<string, unknown> = { positions: at.dialect.array(positions) };
  const sets: string[] = [];
  const set = (column: string, value: unknown) => {
    sets.push(`${column} = @${column}`);
    values[column] = value;
  };
  for (const [name, value] of Object.entries(plain)) set(COLUMNS[name as keyof typeof COLUMNS], value);
  if (error !== undefined) {
    set("error_code", error?.code ?? null);
    set("error_message", error?.message ?? null);
    set("fingerprint", error?.fingerprint ?? null);
  }
  if (resolution !== undefined) {
    set("resolved_by", resolution?.actor ?? null);
    set("resolved_at", resolution?.at ?? null);
    set("resolution_note", resolution?.reason ?? null);
  }
  const name = sets.join(", ");
  let statement = patchStatements.get(name);
  if (!statement) {
    statement = perDialect(
      (d) => `update andon_jobs set ${name} where pos ${d.among("positions", "bigint")}`,
    );
    patchStatements.set(name, statement);
  }
  if (sets.length > 0) await at.session.run(statement(at.dialect), values);
  if (ticket === "draw") await drawTickets(at, positions);
}

async function drawTickets(at: StepContext, positions: readonly number[]): Promise<void> {
  const count = positions.length;
  const [drawn] = at.dialect.reserveNumbers
    ? await at.session.all<{ number: number }>(reserve(at.dialect), { count })
    : [];
  const values = { positions: at.dialect.array(positions), last: drawn?.number ?? null };
  await at.session.run(setTickets(at.dialect), values);
}

export async function takeRunning(
  at: StepContext,
  pos: number,
  fence: number,
): Promise<RunningRow | undefined> {
  const [raw] = await at.session.all<RawRunning>(take(at.dialect), { pos, fence });
  return raw && runningRow(raw);
}

export async function wishCancel(
  at: StepContext,
  pos: number,
  cancel: { actor: string; reason: string | null },
): Promise<RunningRow | undefined> {
  const [raw] = await at.session.all<RawRunning>(wish(at.dialect), { pos, ...cancel });
  return raw && runningRow(raw);
}

/** The claim is locked first, so that a sweep cannot take it back between the check and the commit. */
export async function saveCheckpoint(
  at: StepContext,
  pos: number,
  fence: number,
  cursor: string,
  progress: string | null,
): Promise<boolean> {
  const held = await at.session.all(holdClaim(at.dialect), { pos, fence });
  if (held.length === 0) return false;
  return (await at.session.run(checkpoint(at.dialect), { pos, fence, cursor, progress })) === 1;
}

export async function runningOf(
  at: StepContext,
  filter: { queue?: string; worker?: string },
): Promise<RunningRow[]> {
  const values = { queue: filter.queue ?? null, worker: filter.worker ?? null };
  return (await at.session.all<RawRunning>(running(at.dialect), values)).map(runningRow);
}

export async function readRunning(at: StepContext, pos: number): Promise<RunningRow | undefined> {
  const [raw] = await at.session.all<RawRunning>(runningOne(at.dialect), { pos });
  return raw && runningRow(raw);
}

function runningRow(raw: RawRunning): RunningRow {
  return {
    pos: raw.pos,
    id: raw.id ?? "",
    queue: raw.queue,
    worker: raw.worker,
    fence: raw.fence,
    startedAt: raw.started_at,
    cancel: raw.cancel_actor === null ? null : { actor: raw.cancel_actor, reason: raw.cancel_reason },
  };
}
