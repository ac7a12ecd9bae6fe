import type { NewJob, Placed } from "@andon/engine";
import type { Session } from "../dialect.ts";
import { CHANNEL } from "../postgres/dialect.ts";
import { compile } from "../statement.ts";

/*
 * One statement per batch: the lanes are created and locked in key order, the jobs take their numbers from them, and a
 * job that is the head of all its lanes becomes ready. So a single add is one round trip and its own transaction.
 */
const INPUT = (staged: Staged) => `
input as materialized (
  select t.*, nextval('andon_job_numbers') as pos
  from unnest(@ids::text[], @names::text[], @tenants::text[], @keys::text[], @ranks::int[], @payloads::text[],
    @runAts::bigint[], @traces::text[], @shares::text[], @organizations::text[]${staged.input}) with ordinality
    as t(id, name, tenant, lane_keys, rank, payload, run_at, trace_id, share, organization${staged.columns}, idx)
)`;

/** Parts of the statement for jobs with stages; other jobs do not pay for them. */
interface Staged {
  readonly input: string;
  readonly columns: string;
  readonly ready: string;
}
const PLAIN: Staged = { input: "", columns: "", ready: "" };
const STAGED: Staged = {
  input: ", @stageLists::text[], @stages::text[]",
  columns: ", stages, stage",
  ready: ", stage",
};

const TIMERS = `
timed as (
  insert into andon_timers (pos, queue, due_at, kind)
  select pos, @queue, run_at, 'later' from input where run_at is not null
)`;

const plain = (staged: Staged) =>
  compile(
    `with ${INPUT(staged)},
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, organization, share, rank, payload, run_at, created_at, trace_id${staged.columns})
  select pos, id, @queue, name, tenant, organization, share, rank, payload, run_at, @now::bigint, trace_id${staged.columns} from input
),
lined as (
  insert into andon_ready (queue, rank, pos, share${staged.ready})
  select @queue, rank, pos, share${staged.ready} from input where run_at is null
),${TIMERS},
counted as (
  insert into andon_tallies (queue, at, added, ready, scheduled)
  select @queue, @now::bigint, count(*), count(*) filter (where run_at is null), count(*) filter (where run_at is not null) from input
)
select pos, null::bigint as seq from input where lane_keys is null order by idx`,
    "$",
  );

/**
 * One job without lanes, the most common add: without arrays it takes a fifth less of the server's time. `told`:
 * notifies other processes with the commit, a third of a millisecond earlier than a separate notification. NOTIFY
 * serialises commits, so this is for adds that are far apart.
 */
const single = (told: boolean) =>
  compile(
    `with input as materialized (select nextval('andon_job_numbers') as pos),
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, organization, share, rank, payload, created_at, trace_id)
  select pos, @id, @queue, @name, @tenant, @organization, @share, @rank::int, @payload, @now::bigint, @traceId from input
),
lined as (
  insert into andon_ready (queue, rank, pos, share) select @queue, @rank::int, pos, @share from input
),
counted as (
  insert into andon_tallies (queue, at, added, ready) values (@queue, @now::bigint, 1, 1)
)${told ? `,\ntold as materialized (select pg_notify('${CHANNEL}', @notice))` : ""}
select pos${told ? ", (select count(*) from told) as told" : ""} from input`,
    "$",
  );

/**
 * `lockTimeout`: how long this statement waits for a lane, in milliseconds, if it is its own transaction and holds
 * other lanes meanwhile; null in a caller's transaction, whose own limit applies.
 */
const keyed = (staged: Staged) =>
  compile(
    `with lock_timeout as materialized (
  select set_config('lock_timeout', coalesce(@lockTimeout, current_setting('lock_timeout')), true)
),${INPUT(staged)},
lane_input as materialized (
  select t.idx, t.lane_key, t.is_first,
    row_number() over (partition by t.lane_key order by t.idx) as nth,
    count(*) over (partition by t.lane_key) as total
  from unnest(@laneIndexes::bigint[], @laneKeys::text[], @laneFirsts::int[]) as t(idx, lane_key, is_first)
),
laned as (
  insert into andon_lanes as l (queue, lane_key, next_seq, head_seq, depth)
  select @queue, lane_key, count(*), 1, count(*) from lane_input where (select count(*) from lock_timeout) = 1
  group by lane_key order by lane_key collate "C"
  on conflict (queue, lane_key) do update set
    next_seq = l.next_seq + excluded.next_seq,
    depth = l.depth + excluded.depth,
    head_seq = case when l.head_seq = 0 and l.held_at is null then l.next_seq + 1 else l.head_seq end
  returning l.lane_key, l.next_seq, l.head_seq
),
placed as materialized (
  select i.idx, i.lane_key, i.is_first, d.next_seq - i.total + i.nth as seq, d.head_seq
  from lane_input i join laned d on d.lane_key = i.lane_key
),
waiting as materialized (
  select idx, count(*) filter (where seq <> head_seq) as waits, max(seq) filter (where is_first = 1) as seq, count(*) as lanes
  from placed group by idx
),
lined_up as materialized (
  select i.*, coalesce(w.waits, 0) as waits, w.seq, coalesce(w.lanes, 0) as lanes from input i left join waiting w on w.idx = i.idx
),
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, organization, share, lane_keys, seq, rank, payload, waits, run_at, created_at, trace_id${staged.columns})
  select pos, id, @queue, name, tenant, organization, share, lane_keys, seq, rank, payload, case when lanes > 1 then waits else 0 end, run_at, @now::bigint, trace_id${staged.columns}
  from lined_up
),
joined as (
  insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes)
  select @queue, p.lane_key, p.seq, i.pos, i.lanes from placed p join lined_up i on i.idx = p.idx
),
lined as (
  insert into andon_ready (queue, rank, pos, share${staged.ready}) select @queue, rank, pos, share${staged.ready} from lined_up where run_at is null and waits = 0
),${TIMERS},
counted as (
  insert into andon_tallies (queue, at, added, ready, blocked, scheduled)
  select @queue, @now::bigint, count(*), count(*) filter (where run_at is null and waits = 0), count(*) filter (where waits > 0),
    count(*) filter (where run_at is not null)
  from lined_up
)
select pos, seq from lined_up order by idx`,
    "$",
  );

/** The order of a serial line is the order of commits: its numbers are drawn under a lock that no claim takes. */
const serialTurnstile = compile(
  `insert into andon_lanes (queue, lane_key, next_seq) values (@queue, '', 1)
on conflict (queue, lane_key) do update set next_seq = andon_lanes.next_seq + 1`,
  "$",
);

export const enqueueStatements = {
  single: single(false),
  singleTold: single(true),
  plain: plain(PLAIN),
  keyed: keyed(PLAIN),
  plainStaged: plain(STAGED),
  keyedStaged: keyed(STAGED),
  serialTurnstile,
};

export async function enqueuePostgres(
  session: Session,
  queue: string,
  serial: boolean,
  jobs: readonly NewJob[],
  now: number,
  lockTimeout: string | null = null,
  notice: string | null = null,
): Promise<Placed[]> {
  const [only] = jobs;
  if (only && isSingle(serial, jobs)) return [await enqueueSingle(session, queue, only, now, notice)];
  const inLine = (job: NewJob) => job.runAt === null;
  const isStaged = jobs.some((job) => job.stages !== null);
  const values = {
    queue,
    now,
    ids: jobs.map((job) => job.id),
    names: jobs.map((job) => job.name),
    tenants: jobs.map((job) => job.tenant),
    keys: jobs.map((job) => (job.lanes.length > 0 ? JSON.stringify(job.lanes) : null)),
    ranks: jobs.map((job) => 0 - job.priority),
    payloads: jobs.map((job) => job.payload),
    runAts: jobs.map((job) => job.runAt),
    traces: jobs.map((job) => job.traceId),
    shares: jobs.map((job) => job.share),
    organizations: jobs.map((job) => job.organization),
    ...(isStaged ? stageValues(jobs) : {}),
  };
  const { plain, keyed, plainStaged, keyedStaged } = enqueueStatements;
  if (serial) await session.run(serialTurnstile, { queue });
  const rows = jobs.some((job) => job.lanes.length > 0)
    ? await session.all<{ pos: number; seq: number | null }>(isStaged ? keyedStaged : keyed, {
        ...values,
        ...laneValues(jobs, inLine),
        lockTimeout,
      })
    : await session.all<{ pos: number; seq: number | null }>(isStaged ? plainStaged : plain, values);
  return rows.map((row, index) => ({
    id: (jobs[index] as NewJob).id,
    ticket: String(row.pos),
    isNew: true,
    seq: row.seq,
  }));
}

function stageValues(jobs: readonly NewJob[]) {
  return {
    stageLists: jobs.map((job) => (job.stages ? JSON.stringify(job.stages) : null)),
    stages: jobs.map((job) => job.stages?.[0] ?? null),
  };
}

function laneValues(jobs: readonly NewJob[], inLine: (job: NewJob) => boolean) {
  const laneIndexes: number[] = [];
  const laneKeys: string[] = [];
  const laneFirsts: number[] = [];
  jobs.forEach((job, index) => {
    if (!inLine(job)) return;
    job.lanes.forEach((lane, nth) => {
      laneIndexes.push(index + 1);
      laneKeys.push(lane);
      laneFirsts.push(nth === 0 ? 1 : 0);
    });
  });
  return { laneIndexes, laneKeys, laneFirsts };
}

/** Whether it is one job without lanes, stages or a later time. */
export function isSingle(serial: boolean, jobs: readonly NewJob[]): boolean {
  const [only] = jobs;
  return jobs.length === 1 && !serial && only?.lanes.length === 0 && only.runAt === null && !only.stages;
}

/** `notice`: the notification to send with the commit; null if it is sent afterwards. */
async function enqueueSingle(
  session: Session,
  queue: string,
  job: NewJob,
  now: number,
  notice: string | null,
): Promise<Placed> {
  const { id, name, tenant, organization, share, payload, traceId } = job;
  const values = {
    queue,
    now,
    id,
    name,
    tenant,
    organization,
    share,
    payload,
    traceId,
    rank: 0 - job.priority,
    notice,
  };
  const { single, singleTold } = enqueueStatements;
  const [row] = await session.all<{ pos: number }>(notice === null ? single : singleTold, values);
  return { id, ticket: String(row?.pos), isNew: true, seq: null };
}
