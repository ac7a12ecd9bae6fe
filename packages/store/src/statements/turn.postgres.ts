import { compile } from "../statement.ts";
import { CLAIM_COLUMNS } from "./job-row.ts";
import { LAST_TURNS } from "./turns.ts";

/** First half of the advisory lock's key; the second is the queue's hash. */
export const QUEUE_LOCK_SPACE = 5_017_261;

/*
 * Finish and claim on PostgreSQL. Each is one statement of data-modifying CTEs, so that a turn without lanes or limits
 * is a single statement and its own transaction.
 *
 * The statements run with generic plans that may have been made while the tables were empty, so they leave the planner
 * no choice: rows are found by `= any(array(select …))` on a primary key, or one by one from a CTE. What belongs to a
 * row (its fence, its result) is looked up in a JSON object by its number: a join with the parameters became a nested
 * loop over all pairs, and a third of the server's time.
 */
const ENDED_IF = (condition: string) => `
ended as (
  delete from andon_running r
  where r.queue = @queue and r.pos = any(@positions::bigint[])
    and r.fence = (@fences::jsonb ->> r.pos::text)::int and r.worker = @worker and r.cancel_actor is null${condition}
  returning r.pos
),
saved as (
  update andon_jobs j
  set state = 'done', fence = j.fence + 1, stalled = 0, worker = @worker,
    started_at = (@starts::jsonb ->> j.pos::text)::bigint, finished_at = @now::bigint,
    result = @results::jsonb ->> j.pos::text,
    progress = coalesce(@progresses::jsonb ->> j.pos::text, j.progress), error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
)`;

/** Positions whose lanes somebody else had locked when this transaction locked the rest: `lockLanes` below sets it. */
const BUSY_SETTING = "andon.busy";
const BUSY = `coalesce(current_setting('${BUSY_SETTING}', true), '')`;

const ENDED = ENDED_IF("");
const ENDED_IN_LOCKED_LANES = ENDED_IF(
  ` and r.pos <> all(array(select unnest(string_to_array(${BUSY}, ','))::bigint))`,
);
/** Claims are ended after the queue is locked, as everywhere: whoever decides about a running job locks in that order. */
const ENDED_WHEN_LOCKED = ENDED_IF(" and (select count(*) from queue) = 1");
const ENDED_AFTER_GATE = ENDED_IF(" and (select count(*) from gate) = 1");

/**
 * A running job is the head of its lanes, so the next head is the first behind it; held lanes let nobody through. What is
 * next in a lane is looked up by its key, like everything that belongs to a row. (`+ 0`: by the index of held lanes
 * PostgreSQL would walk all of them.)
 */
const LEFT_LANES = `
freed as (
  delete from andon_lane_jobs m
  where m.pos = any(array(select pos from ended))
  returning m.lane_key, m.seq
),
held as materialized (
  select l.lane_key from andon_lanes l
  where l.queue = @queue and l.lane_key = any(array(select lane_key from freed)) and l.held_at + 0 is not null
),
heads as materialized (
  select f.lane_key, n.seq, n.pos, n.lanes
  from freed f cross join lateral (
    select n.seq, n.pos, n.lanes from andon_lane_jobs n
    where n.queue = @queue and n.lane_key = f.lane_key and n.seq > f.seq
    order by n.seq limit 1
  ) n
  where f.lane_key <> all(array(select lane_key from held))
),
advanced as (
  update andon_lanes l
  set depth = l.depth - 1,
    head_seq = coalesce(((select jsonb_object_agg(lane_key, seq) from heads) ->> l.lane_key)::bigint, 0)
  where l.queue = @queue and l.lane_key = any(array(select lane_key from freed))
),
in_order as materialized (
  select j.pos from andon_jobs j where j.pos = any(array(select pos from heads where lanes > 1)) order by j.pos for update
),
promoted as (
  update andon_jobs j set waits = j.waits - (
    (select jsonb_object_agg(a.pos, a.lanes) from (
      select pos, count(*) as lanes from heads where lanes > 1 group by pos
    ) a) ->> j.pos::text
  )::int
  where j.pos = any(array(select pos from heads where lanes > 1)) and (select count(*) from in_order) > 0
  returning j.pos, j.waits
),
admitted as materialized (
  select pos from heads where lanes = 1 union all select pos from promoted where waits = 0
),
lined as (
  insert into andon_ready (queue, rank, pos, share)
  select @queue, j.rank, j.pos, j.share from andon_jobs j where j.pos = any(array(select pos from admitted))
)`;

/** The gate is read under the lock that a stop takes exclusively: advisory first, so that a stopper never starves. */
const GATE = `
cord as materialized (
  select pg_advisory_xact_lock_shared(${QUEUE_LOCK_SPACE}, hashtext(@queue))
),
gate as materialized (
  select q.state, q.epoch from andon_queues q where q.name = @queue and (select count(*) from cord) = 1 for share
)`;

/**
 * What was really deleted from the line is claimed. A row that somebody moved since this statement's snapshot is locked in a
 * version that the delete cannot see: claimed all the same, it would be claimed a second time from its new place.
 */
const CLAIM = (picked: string) => `
${picked},
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select ${CLAIM_COLUMNS}, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, worker, fence, started_at)
  select @queue, pos, share, @worker, fence, @now::bigint from claimed
)`;

const LOCKED_QUEUE = (advisory: string, row: string) => `
cord as materialized (select ${advisory}(${QUEUE_LOCK_SPACE}, hashtext(@queue))),
queue as materialized (
  select q.state from andon_queues q where q.name = @queue and (select count(*) from cord) = 1 ${row}
)`;

const ENDED_SUMS = "(select count(*) as done, string_agg(pos::text, ',') as finished from ended) e";
const TAKEN_SUMS =
  "(select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p";

/** One row of the counts and one of the ledger per statement, whatever it did. */
const RECORD = (does: { finish: boolean; lanes: boolean; claim: boolean }) => `
sums as materialized (
  select ${does.finish ? "e.done, e.finished" : "0 as done, null as finished"},
    ${does.lanes ? "(select count(*) from admitted)" : "0"} as admitted,
    ${does.claim ? "p.claimed, p.started" : "0 as claimed, null as started"}
  from ${[does.finish && ENDED_SUMS, does.claim && TAKEN_SUMS].filter(Boolean).join(", ")}
),
counted as (
  insert into andon_tallies (queue, blocked, ready, running, done)
  select @queue, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_turns (queue, epoch, worker, at, claimed, done, started, finished)
  select @queue, ${does.claim ? "(select epoch from gate)" : "null::bigint"}, @worker, @now::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)`;

const CLAIMED =
  "select g.state as queue_state, c.* from gate g left join claimed c on true order by c.rank, c.pos";
/** Which completions were accepted is told only where some were not. */
const ACCEPTED = `(select done from sums) as accepted,
  (select finished from sums where done < cardinality(@positions::bigint[])) as which`;

/** The front of the line. */
const IN_LINE = (most: string, conditions = "") => `
picked as materialized (
  select r.ctid, r.rank, r.pos
  from andon_ready r
  where (r.queue, r.rank, r.pos) >= (@queue::text, @floorRank::int, @floorPos::bigint)
    and (r.queue, r.rank, r.pos) <= (@queue::text, 2147483647, 9223372036854775807)
    and (select state from gate) = 'open'${conditions}
  order by r.queue, r.rank, r.pos
  limit ${most}
  for update skip locked
)`;

/**
 * The front of each share's own line, in the order of how many jobs that share would then run. One index probe finds
 * the next share, so that a flood of one tenant is never read. A job that was added without a share, by a process that
 * does not know the queue's rules, is taken when it comes to the front of the whole line.
 */
const IN_SHARES = (most: string) => `
shares as materialized (
  with recursive s(share) as (
    (select r.share from andon_ready r where r.queue = @queue and r.share is not null order by r.share limit 1)
    union all
    select (
      select r.share from andon_ready r where r.queue = @queue and r.share > s.share order by r.share limit 1
    ) from s where s.share is not null
  )
  select s.share, (
    select count(*) from andon_running r where r.queue = @queue and r.share = s.share
  ) as running
  from s where s.share is not null
),
picked as materialized (
  select f.ctid, f.rank, f.pos
  from (
  select l.ctid, l.rank, l.pos, l.turn from shares s cross join lateral (
    select r.ctid, r.rank, r.pos, s.running + row_number() over (order by r.rank, r.pos) as turn
    from andon_ready r
    where r.queue = @queue and r.share = s.share
    order by r.rank, r.pos
    limit greatest(0, least(@want::int, @shareMost::int - s.running))
  ) l
  union all
  select n.ctid, n.rank, n.pos, 0 from (
    select r.ctid, r.rank, r.pos, r.share from andon_ready r where r.queue = @queue order by r.rank, r.pos limit @want::int
  ) n where n.share is null
  ) f
  where (select state from gate) = 'open'
  order by f.turn, f.rank, f.pos
  limit ${most}
)`;

/** Starts in the last stretch of the limiter; a turn has at least one, so `max` turns are enough to look at. */
const RECENT = `(
  select claimed, at from andon_turns where ${LAST_TURNS.where} and claimed > 0 order by ${LAST_TURNS.order} limit coalesce(@rateMax::int, 0)
) t where t.at > @now::bigint - @rateDuration::bigint`;
const LIMITED = `greatest(0, least(@want::int,
    @limit::int - (select count(*)::int from andon_running where queue = @queue),
    @rateMax::int - (select coalesce(sum(t.claimed), 0)::int from ${RECENT})))`;
const NOT_IN_BACKOFF = `
    and not exists (select 1 from andon_timers t where t.queue = @queue and t.kind = 'backoff')`;

const FINISH_ONLY = { finish: true, lanes: false, claim: false };
const FINISH_IN_LANES = { finish: true, lanes: true, claim: false };
const CLAIM_ONLY = { finish: false, lanes: false, claim: true };
const BOTH = { finish: true, lanes: false, claim: true };

const claim = (picked: string) =>
  compile(`with ${GATE},${CLAIM(picked)},${RECORD(CLAIM_ONLY)}\n${CLAIMED}`, "$");

const finishAndClaim = (most: string) =>
  compile(
    `with ${GATE},${ENDED_AFTER_GATE},${CLAIM(IN_LINE(most))},${RECORD(BOTH)}\nselect ${ACCEPTED}, x.* from (${CLAIMED}) x`,
    "$",
  );

/**
 * The queue's lock and those of the lanes, in this order, in one statement. Nobody waits for a lane here: a stranger's
 * transaction that adds to one may stay open for long, and this one holds the queue's lock, which a stop needs, and other
 * lanes. Jobs of such a lane are left for a later turn; the statements of this transaction know them by a setting.
 */
const lockLanes = (advisory: string, row: string) =>
  compile(
    `with ${LOCKED_QUEUE(advisory, row)},
locked as materialized (
  select l.lane_key from andon_lanes l
  where l.queue = @queue and l.lane_key = any(@keys::text[]) and (select count(*) from queue) = 1
  for update skip locked
)
select set_config('${BUSY_SETTING}', case when (select count(*) from locked) = cardinality(@keys::text[]) then '' else (
  select string_agg(distinct k.pos::text, ',') from unnest(@lanePositions::bigint[], @laneKeys::text[]) as k(pos, lane_key)
  where k.lane_key <> all(array(select lane_key from locked))
) end, true)`,
    "$",
  );

export const turnStatements = {
  finish: compile(`with ${ENDED},${RECORD(FINISH_ONLY)}\nselect ${ACCEPTED}`, "$"),
  finishInLanes: compile(
    `with ${ENDED_IN_LOCKED_LANES},${LEFT_LANES},${RECORD(FINISH_IN_LANES)}\nselect ${ACCEPTED}, nullif(${BUSY}, '') as busy`,
    "$",
  ),
  claim: claim(IN_LINE("@want::int")),
  claimLimited: claim(IN_LINE(LIMITED)),
  claimSerial: claim(IN_LINE(LIMITED, NOT_IN_BACKOFF)),
  claimShares: claim(IN_SHARES(LIMITED)),
  /** When the oldest start leaves the limiter's stretch. */
  rateAllows: compile(`select min(t.at) + @rateDuration::bigint as at from ${RECENT}`, "$"),
  /** Claims that were stamped before the clock was set back would count until it has caught up with them. */
  rateSetBack: compile(
    `update andon_turns set at = @now::bigint where queue = @queue and id = any(array(
  select t.id from (
    select id, at from andon_turns where ${LAST_TURNS.where} and claimed > 0 order by ${LAST_TURNS.order} limit @rateMax::int
  ) t where t.at > @now::bigint + @rateLead::bigint
))`,
    "$",
  ),
  finishAndClaim: finishAndClaim("@want::int"),
  /**
   * Finishes and claims no more than it finished: so a limit, or a serial line, is kept without counting what runs. Of
   * a serial line nothing else can be running or waiting out a back-off while this worker's claim stood.
   */
  finishAndReplace: finishAndClaim("least(@want::int, (select count(*)::int from ended))"),
  lockLanesShare: lockLanes("pg_advisory_xact_lock_shared", "for share"),
  lockLanesExclusive: lockLanes("pg_advisory_xact_lock", "for update"),
  /** For a transaction that holds no lock that a queue waits for. */
  limitWait: compile(`select set_config('lock_timeout', '100', true)`, "$"),
  waitForLanes: compile(
    `select l.lane_key from andon_lanes l where l.queue = @queue and l.lane_key = any(@keys::text[])
order by l.lane_key for update`,
    "$",
  ),
  /** Finishing looks at nothing that the queue's lock guards, so it can bring that lock along for the claim after it. */
  finishAndLock: compile(
    `with ${LOCKED_QUEUE("pg_advisory_xact_lock", "for update")},${ENDED_WHEN_LOCKED},${RECORD(FINISH_ONLY)}
select ${ACCEPTED}`,
    "$",
  ),
};
