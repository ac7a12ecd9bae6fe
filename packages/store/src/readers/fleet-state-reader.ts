import type { FleetState, FleetStateRequest, Holder, OldestOfQueue } from "@andon/engine";
import { alongIndex } from "../statements/along-index.ts";
import { FIRST_TIMERS } from "../statements/first-timers.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";

const entriesOf = alongIndex({ queue: "q.name" }, ["id"]);

/** One index probe; as `exists` it might be planned as a join that reads the whole table. */
function firstIn(table: string, column: string): string {
  const { where, order } = alongIndex({ "w.queue": "q.name" }, [`w.${column}`]);
  return `select w.pos from ${table} w where ${where} order by ${order} limit 1`;
}

/** Of each queue only whether there is a row: one index probe, whatever the number of waiting or running jobs. */
const look = shared(
  "fleet-state",
  (d) => `select f.*, p.worker, p.term, p.beat, r.name as ready
from (
  select ${d.time} as now,
    exists (select 1 from andon_workers where id = @worker) as known,
    (select count(*) from ${d.rows("defined")} q where (${firstIn("andon_running", "pos")}) is not null) > 0 as running,
    exists (select 1 from andon_tallies where merged = 0) as tallies,
    exists (select 1 from andon_operations where finished_at is null) as operations,
    exists (select 1 from andon_queues where state = 'ramping') as ramping,
    (select min(t.due) from (${FIRST_TIMERS}) t) as next_timer,
    (select min(next_at) from andon_schedules where next_at is not null) as next_schedule,
    (select min(applies_at) from andon_decisions where state = 'pending') as next_decision
) f
left join andon_housekeepers p on p.role = @role
left join (
  select q.name from ${d.rows("worked")} q
  where (${firstIn("andon_ready", "rank")}) is not null
    and exists (select 1 from andon_queues s where s.name = q.name and s.state <> 'stopped')
) r on 1 = 1`,
);
const holding = shared(
  "running-holders",
  () => "select queue, worker, count(*) as jobs from andon_running group by queue, worker",
);
const connected = shared("workers-connected", (d) => d.connectedWorkers ?? "select id from andon_workers");
/**
 * The last claim of a queue stays in the claim log and is not to be deleted. Times ahead of the clock count as old: the
 * purge handles them.
 */
const oldest = shared(
  "queues-oldest",
  (d) => `select q.name as queue,
  (select case when t.at > @now then 0 else t.at end from andon_claim_log t
   where ${entriesOf.where} and (t.done > 0 or exists (
     select 1 from andon_claim_log l where l.queue = q.name and l.id > t.id and l.claimed > 0))
   order by ${entriesOf.order} limit 1) as done,
  (select min(a.at) from andon_ended a where a.queue = q.name and a.state = 'cancelled') as cancelled,
  (select min(a.at) from andon_ended a where a.queue = q.name and a.state = 'skipped') as skipped,
  (select min(a.at) from andon_ended a where a.queue = q.name and a.state = 'resolved') as resolved,
  (select min(p.expires_at) from andon_plans p where p.queue = q.name) as plan
from ${d.rows("queues")} q`,
);

interface RawFleetState {
  now: number;
  known: boolean | number;
  running: boolean | number;
  tallies: boolean | number;
  operations: boolean | number;
  ramping: boolean | number;
  next_timer: number | null;
  next_schedule: number | null;
  next_decision: number | null;
  worker: string | null;
  term: number;
  beat: number;
  ready: string | null;
}

/** `now`: the database's time at the read; 0 if the process uses its own clock. */
export async function readFleetState(
  at: StepContext,
  { worker, role, worked, defined }: FleetStateRequest,
): Promise<FleetState & { now: number }> {
  const values = { worker, role, worked: at.dialect.array(worked), defined: at.dialect.array(defined) };
  const rows = await at.session.all<RawFleetState>(look(at.dialect), values);
  const facts = rows[0] as RawFleetState;
  return {
    now: facts.now,
    isKnown: Boolean(facts.known),
    ready: rows.flatMap((row) => row.ready ?? []),
    isRunning: Boolean(facts.running),
    hasTallies: Boolean(facts.tallies),
    hasOperations: Boolean(facts.operations),
    isRamping: Boolean(facts.ramping),
    nextTimer: facts.next_timer,
    nextSchedule: facts.next_schedule,
    nextDecision: facts.next_decision,
    post: facts.worker === null ? null : { worker: facts.worker, term: facts.term, beat: facts.beat },
  };
}

export async function holders(at: StepContext): Promise<Holder[]> {
  return at.session.all<Holder>(holding(at.dialect), {});
}

export async function connectedWorkers(at: StepContext): Promise<ReadonlySet<string> | null> {
  if (!at.dialect.connectedWorkers) return null;
  return new Set((await at.session.all<{ id: string }>(connected(at.dialect), {})).map(({ id }) => id));
}

interface RawOldest {
  queue: string;
  done: number | null;
  cancelled: number | null;
  skipped: number | null;
  resolved: number | null;
  plan: number | null;
}

export async function oldestOf(
  at: StepContext,
  queues: readonly string[],
  now: number,
): Promise<OldestOfQueue[]> {
  const rows = await at.session.all<RawOldest>(oldest(at.dialect), { queues: at.dialect.array(queues), now });
  return rows.map(({ queue, done, plan, ...ended }) => {
    const times = Object.values(ended).filter((time): time is number => time !== null);
    return { queue, done, ended: times.length > 0 ? Math.min(...times) : null, plan };
  });
}
