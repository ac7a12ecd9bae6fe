import type { Scope } from "@andon/contract";
import type { JobPatch, JobReference, JobRow } from "@andon/engine";
import { JOB_COLUMNS, jobRow, type RawJob } from "../statements/job-row.ts";
import { inScope, scopeValues } from "./in-scope.ts";
import { perDialect, type StepContext, shared } from "./statement-registry.ts";

const IN_SCOPE = inScope("s.");
const byId = shared(
  "job-by-id",
  () => `select ${JOB_COLUMNS} from andon_job_states s where s.id = @id and ${IN_SCOPE}`,
);
const byPos = shared(
  "job-by-pos",
  () => `select ${JOB_COLUMNS} from andon_job_states s where s.pos = @pos and ${IN_SCOPE}`,
);
/** A ticket is the job's number until a person queues it again and it draws a new one. */
const byTicket = shared(
  "job-by-ticket",
  () => `select ${JOB_COLUMNS} from andon_job_states s where s.ticket = @ticket and ${IN_SCOPE}
union all
select ${JOB_COLUMNS} from andon_job_states s where s.pos = @ticket and s.ticket is null and ${IN_SCOPE}`,
);
const ofOpen = (column: string, from: string) =>
  `case when j.state = 'open' then (select ${column} from ${from}) end`;
const claim = "andon_running r where r.queue = j.queue and r.pos = j.pos";
/**
 * The view's columns as subqueries: with its joins PostgreSQL may plan, while the line is empty, to read all of it for
 * each job, and keeps that plan. A step of 100 jobs among 24,000 in line took 0.25 s.
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
      ${ofOpen("r.fence", claim)} as running_fence, case when j.state in ('open', 'parked') then (select t.due_at from andon_timers t where t.pos = j.pos) end as due_at,
      ${ofOpen("w.pos", "andon_ready w where w.queue = j.queue and w.rank = j.rank and w.pos = j.pos")} as in_line
    from andon_jobs j where j.pos ${d.among("positions", "bigint")}
  ) p
) s`,
);
/** `+ 0` keeps PostgreSQL from scanning the index in this order, through all jobs (two seconds among a million). */
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
  stages: "stages",
  stage: "stage",
  outputs: "outputs",
  cursor: "cursor",
  stageStartedAt: "stage_started_at",
  stageElapsed: "stage_elapsed",
  cancelActor: "cancel_actor",
  cancelReason: "cancel_reason",
  awaits: "awaits",
  arrivals: "arrivals",
};

const reserve = shared("tickets-reserve", (d) => d.reserveNumbers ?? "select 1");
const setTickets = shared("tickets-set", (d) => d.setTickets);

export async function readJob(
  at: StepContext,
  reference: JobReference,
  scope?: Scope,
): Promise<JobRow | undefined> {
  const rows = await readRaw(at, reference, scopeValues(scope));
  const inQueue = "queue" in reference ? rows.find((row) => row.queue === reference.queue) : rows[0];
  return inQueue && jobRow(inQueue);
}

async function readRaw(
  at: StepContext,
  reference: JobReference,
  scope: ReturnType<typeof scopeValues>,
): Promise<RawJob[]> {
  if ("id" in reference) return at.session.all(byId(at.dialect), { id: reference.id, ...scope });
  if ("pos" in reference) return at.session.all(byPos(at.dialect), { pos: reference.pos, ...scope });
  if (!/^\d{1,15}$/.test(reference.ticket)) return [];
  return at.session.all(byTicket(at.dialect), { ticket: Number(reference.ticket), ...scope });
}

/**
 * About 10 ms on SQLite, during which a process does nothing else; a decision about all failed jobs reads any number.
 */
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
 * Locks claims before jobs, as a completion does. They are locked first and read by a later statement, which sees what
 * the locks waited for.
 */
export async function lockJobs(at: StepContext, positions: readonly number[]): Promise<JobRow[]> {
  if (positions.length === 0) return [];
  const values = { positions: at.dialect.array(positions) };
  // They run one after the other in the database; on PostgreSQL they are sent together.
  const [, , jobs] = await Promise.all([
    at.session.all(lockClaims(at.dialect), values),
    at.session.all(lockRows(at.dialect), values),
    readJobs(at, positions),
  ]);
  return jobs;
}

const patchStatements = new Map<string, ReturnType<typeof perDialect>>();

/** One statement per set of changed columns; the verbs use a few fixed sets. */
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
    set("error_texts", error?.texts ? JSON.stringify(error.texts) : null);
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
