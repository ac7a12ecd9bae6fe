import { compile } from "../statement.ts";
import { CLAIM_COLUMNS } from "./job-row.ts";

/*
 * Finish and claim on PostgreSQL. Each is one statement of data-modifying CTEs, so that a turn without lanes or limits
 * is a single statement and its own transaction.
 *
 * Sets are compared as `= any(array(select …))`: with a join the planner guesses the size of a CTE and, on tables that
 * were never analysed, reads all of andon_jobs (46 ms per 500 jobs instead of 3). The row comparison on andon_ready
 * keeps to its primary key for the same reason.
 */
const ENDED = `
ended as (
  delete from andon_running r
  using unnest(@positions::bigint[], @fences::int[], @results::text[]) as d(pos, fence, result)
  where r.pos = any(@positions::bigint[]) and r.pos = d.pos
    and case when r.fence = d.fence and r.worker = @worker then r.cancel_actor is null else false end
  returning r.pos, r.fence, r.started_at, d.result
),
saved as (
  update andon_jobs j
  set state = 'done', fence = e.fence, stalled = 0, worker = @worker, started_at = e.started_at,
    finished_at = @now::bigint, result = e.result
  from ended e
  where j.pos = any(array(select pos from ended)) and j.pos = e.pos
)`;

const LEFT_LANES = `
freed as (
  delete from andon_lane_jobs m
  where m.queue = @queue and m.pos = any(array(select pos from ended))
  returning m.lane_key, m.seq
),
advanced as (
  update andon_lanes l
  set depth = l.depth - 1,
    head_seq = case when l.held_at is null then coalesce((
      select min(n.seq) from andon_lane_jobs n where n.queue = @queue and n.lane_key = l.lane_key and n.seq > f.seq
    ), 0) else 0 end
  from freed f
  where l.queue = @queue and l.lane_key = any(array(select lane_key from freed)) and l.lane_key = f.lane_key
  returning l.lane_key, l.head_seq
),
admitted as materialized (
  select m.pos, count(*)::int as lanes
  from advanced a
  join andon_lane_jobs m on m.queue = @queue and m.lane_key = a.lane_key and m.seq = a.head_seq
  where a.head_seq > 0
  group by m.pos
),
in_order as materialized (
  select j.pos from andon_jobs j where j.pos = any(array(select pos from admitted)) order by j.pos for update
),
promoted as (
  update andon_jobs j set waits = j.waits - a.lanes
  from admitted a
  where j.pos = any(array(select pos from in_order)) and j.pos = a.pos
  returning j.pos, j.rank, j.waits
),
lined as (
  insert into andon_ready (queue, rank, pos) select @queue, rank, pos from promoted where waits = 0
),
admitted_count as (
  insert into andon_tallies (queue, blocked, ready)
  select @queue, -count(*), count(*) from promoted where waits = 0 having count(*) > 0
)`;

const FINISHED = `
finished_count as (
  insert into andon_tallies (queue, running, done) select @queue, -count(*), count(*) from ended having count(*) > 0
),
finished_turn as (
  insert into andon_turns (queue, worker, at, claimed, done, finished)
  select @queue, @worker, @now::bigint, 0, count(*), string_agg(pos::text, ',') from ended having count(*) > 0
)`;

/** The gate is read under the lock that a stop takes exclusively: advisory first, so that a stopper never starves. */
const CLAIM = (conditions: string, most: string) => `
cord as materialized (
  select pg_advisory_xact_lock_shared(${QUEUE_LOCK_SPACE}, hashtext(@queue))
),
gate as materialized (
  select q.state, q.epoch from andon_queues q where q.name = @queue and (select count(*) from cord) = 1 for share
),
picked as materialized (
  select r.ctid, r.rank, r.pos
  from andon_ready r
  where (r.queue, r.rank, r.pos) >= (@queue::text, @floorRank::int, @floorPos::bigint)
    and (r.queue, r.rank, r.pos) <= (@queue::text, 2147483647, 9223372036854775807)
    and (select state from gate) = 'open'${conditions}
  order by r.queue, r.rank, r.pos
  limit ${most}
  for update skip locked
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked))
),
claimed as materialized (
  select ${CLAIM_COLUMNS}, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from picked))
),
started as (
  insert into andon_running (pos, queue, worker, fence, started_at)
  select pos, @queue, @worker, fence, @now::bigint from claimed
),
claimed_count as (
  insert into andon_tallies (queue, ready, running) select @queue, -count(*), count(*) from picked having count(*) > 0
),
claimed_turn as (
  insert into andon_turns (queue, epoch, worker, at, claimed, done, started)
  select @queue, (select epoch from gate), @worker, @now::bigint, count(*), 0, string_agg(pos::text, ',' order by rank, pos)
  from picked having count(*) > 0
)`;

const CLAIMED =
  "select g.state as queue_state, c.* from gate g left join claimed c on true order by c.rank, c.pos";
const REFUSED =
  "select d.pos as refused from unnest(@positions::bigint[]) as d(pos) where d.pos <> all(array(select pos from ended))";

/** First half of the advisory lock's key; the second is the queue's hash. */
export const QUEUE_LOCK_SPACE = 5_017_261;

const LIMITED = `greatest(0, least(@want::int, @limit::int - (select count(*)::int from andon_running where queue = @queue)))`;
const NOT_IN_BACKOFF = `
    and not exists (select 1 from andon_timers t where t.queue = @queue and t.kind = 'backoff')`;

export const turnStatements = {
  finish: compile(`with ${ENDED},${FINISHED}\n${REFUSED}`, "$"),
  finishInLanes: compile(`with ${ENDED},${LEFT_LANES},${FINISHED}\n${REFUSED}`, "$"),
  claim: compile(`with ${CLAIM("", "@want::int")}\n${CLAIMED}`, "$"),
  claimLimited: compile(`with ${CLAIM("", LIMITED)}\n${CLAIMED}`, "$"),
  claimSerial: compile(`with ${CLAIM(NOT_IN_BACKOFF, LIMITED)}\n${CLAIMED}`, "$"),
  finishAndClaim: compile(
    `with ${ENDED},${FINISHED},${CLAIM("", "@want::int")},
refused as (${REFUSED})
select (select coalesce(string_agg(refused::text, ','), '') from refused) as refused, x.*
from (${CLAIMED}) x`,
    "$",
  ),
  lockLanes: compile(
    `select lane_key from andon_lanes where queue = @queue and lane_key = any(@keys::text[]) order by lane_key for update`,
    "$",
  ),
};
