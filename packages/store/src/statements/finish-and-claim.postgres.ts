import { compile, inArrays } from "../statement.ts";
import { LAST_OF_CLAIM_LOG } from "./claim-log.ts";
import { claimShares } from "./claim-shares.postgres.ts";
import { CLAIM_COLUMNS, CLAIM_WIDTH } from "./job-row.ts";

/** The first half of the advisory lock's key; the second is the queue's hash. */
export const QUEUE_LOCK_SPACE = 5_017_261;

/*
 * Finish and claim on PostgreSQL. Each is one statement of data-modifying CTEs, so a request without lanes or limits is
 * a single statement and its own transaction.
 *
 * The statements run with generic plans that may have been made while the tables were empty, so they leave the planner
 * no choice: rows are found by `= any(array(select …))` on a primary key, or one by one from a CTE. Values of a row
 * (its fence, its result) are looked up in a JSON object by its number: a join with the parameters became a nested loop
 * over all pairs, and took a third of the server's time.
 */
const ENDED_IF = (condition: string) => `
ended as (
  delete from andon_running r
  where r.queue = @queue and r.pos = any(@positions::bigint[])
    and r.fence = case when @fences::jsonb is null then @fence::int else coalesce((@fences::jsonb ->> r.pos::text)::int, @fence::int) end
    and r.worker = @worker and r.cancel_actor is null${condition}
  returning r.pos
),
saved as (
  update andon_jobs j
  set state = 'done', fence = j.fence + 1, stalled = 0, worker = @worker,
    started_at = case when @starts::jsonb is null then @start::bigint else coalesce((@starts::jsonb ->> j.pos::text)::bigint, @start::bigint) end,
    finished_at = @now::bigint, result = case when @results::jsonb is null then null else @results::jsonb ->> j.pos::text end,
    progress = case when @progresses::jsonb is null then j.progress else coalesce(@progresses::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
)`;

/** Positions whose lanes another transaction had locked when this one locked the rest: `lockLanes` below sets it. */
const BUSY_SETTING = "andon.busy";
const BUSY = `coalesce(current_setting('${BUSY_SETTING}', true), '')`;

const ENDED = ENDED_IF("");
const ENDED_IN_LOCKED_LANES = ENDED_IF(
  ` and r.pos <> all(array(select unnest(string_to_array(${BUSY}, ','))::bigint))`,
);
/** Claims are ended after the queue is locked, as in every decision about a running job: all lock in that order. */
const ENDED_WHEN_LOCKED = ENDED_IF(" and (select count(*) from queue) = 1");
const ENDED_AFTER_GATE = ENDED_IF(" and (select count(*) from gate) = 1");

/**
 * Rows of lanes are read and written at the places where `lockLanes` found them. Each job of a lane leaves a dead
 * version of its row, which PostgreSQL cannot remove while any old snapshot is open, and every look-up by key steps
 * over all of them (three look-ups per job: 270 pages after 16 s). A locked row stays where it is.
 */
const LANES_SETTING = "andon.lanes";
const LOCKED_LANES = `string_to_array(nullif(current_setting('${LANES_SETTING}', true), ''), ' ')::tid[]`;
const LANES_BY_KEY = "l.queue = @queue and l.lane_key = any(array(select lane_key from freed))";
/**
 * If all completions were accepted, all locked lanes were left. Otherwise a membership test in a JSON object decides:
 * `= any(array(…))` compares each lane with every key (5 % of the server's time).
 */
const LANES_BY_PLACE = `l.ctid = any(${LOCKED_LANES}) and (
    (select count(*) from ended) = cardinality(@positions::bigint[])
    or jsonb_exists((select jsonb_object_agg(lane_key, true) from freed), l.lane_key)
  )`;

/**
 * A running job is the head of its lanes, so the next head is the first job after it; held lanes let no job through.
 * The next job of a lane is looked up by its key, like all values of a row.
 */
const LEFT_LANES = (lanes: string) => `
freed as (
  delete from andon_lane_jobs m
  where m.pos = any(array(select pos from ended))
  returning m.lane_key, m.seq
),
left_lanes as materialized (
  select l.ctid, l.lane_key, l.held_at from andon_lanes l where ${lanes}
),
heads as materialized (
  select f.lane_key, n.seq, n.pos, n.lanes
  from freed f cross join lateral (
    select n.seq, n.pos, n.lanes from andon_lane_jobs n
    where n.queue = @queue and n.lane_key = f.lane_key and n.seq > f.seq
    order by n.seq limit 1
  ) n
  where f.lane_key <> all(array(select lane_key from left_lanes where held_at is not null))
),
advanced as (
  update andon_lanes l
  set depth = l.depth - 1,
    head_seq = coalesce(((select jsonb_object_agg(lane_key, seq) from heads) ->> l.lane_key)::bigint, 0)
  where l.ctid = any(array(select ctid from left_lanes))
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
  insert into andon_ready (queue, rank, pos, share, stage)
  select @queue, j.rank, j.pos, j.share, j.stage from andon_jobs j where j.pos = any(array(select pos from admitted))
)`;

/**
 * The gate is read under the lock that a stop takes exclusively. The advisory lock comes first, so that a stop never
 * starves.
 */
export const GATE = `
cord as materialized (
  select pg_advisory_xact_lock_shared(${QUEUE_LOCK_SPACE}, hashtext(@queue))
),
gate as materialized (
  select q.state, q.epoch from andon_queues q where q.name = @queue and (select count(*) from cord) = 1 for share
)`;

export const STARTED = `
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select @queue, pos, share, stage, @worker, fence, @now::bigint from claimed
)`;

/**
 * Only rows that were really deleted from the line are claimed. A row that was moved after this statement's snapshot is
 * locked in a version that the delete cannot see; if it were claimed, it would be claimed a second time from its new
 * place.
 */
const CLAIM = (picked: string) => `
${picked},
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select ${CLAIM_COLUMNS}, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),${STARTED}`;

const LOCKED_QUEUE = (advisory: string, row: string) => `
cord as materialized (select ${advisory}(${QUEUE_LOCK_SPACE}, hashtext(@queue))),
queue as materialized (
  select q.state from andon_queues q where q.name = @queue and (select count(*) from cord) = 1 ${row}
)`;

const ENDED_SUMS = "(select count(*) as done, string_agg(pos::text, ',') as finished from ended) e";
const TAKEN_SUMS =
  "(select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p";

/** One row of the counts and one of the claim log per statement, whatever it did. */
const RECORD = (does: { finish: boolean; lanes: boolean; claim: boolean }) => `
sums as materialized (
  select ${does.finish ? "e.done, e.finished" : "0 as done, null as finished"},
    ${does.lanes ? "(select count(*) from admitted)" : "0"} as admitted,
    ${does.claim ? "p.claimed, p.started" : "0 as claimed, null as started"}
  from ${[does.finish && ENDED_SUMS, does.claim && TAKEN_SUMS].filter(Boolean).join(", ")}
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select @queue, @now::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select @queue, ${does.claim ? "(select epoch from gate)" : "null::bigint"}, @worker, @now::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)`;

/** The list of accepted completions is returned only if some were refused. */
const ACCEPTED = `(select done from sums) as accepted,
  (select finished from sums where done < cardinality(@positions::bigint[])) as which`;
/**
 * The time in the server, which a client cannot measure: it also sees the network and the commit. Taken once after all
 * claimed jobs have left the line; per job it took a twentieth of the server's time.
 */
const CLAIM_MS = `(select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms`;
const NOTHING_CLAIMED = Array.from({ length: CLAIM_WIDTH }, () => "null").join(", ");
/**
 * The first row has what concerns the whole claim, with `further` for the values of some statements; every other row is
 * a claimed job. `claimed-rows.ts` reads and sorts them: joining and sorting such wide rows took a twelfth of the
 * server's time.
 */
export const CLAIMED = (accepted: string, further?: string) => `select ${NOTHING_CLAIMED}, h.*
from (select (select state from gate) as queue_state, ${CLAIM_MS}, ${accepted}${further ? `, ${further}` : ""}) h
union all select c.*, null, null, null, null${further ? ", null" : ""} from claimed c`;
const NOTHING_FINISHED = "null::bigint as accepted, null::text as which";

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

/** Running jobs, counted once for all stages. */
export const AT_WORK = `
at_work as materialized (
  select r.stage, count(*)::int as jobs from andon_running r where r.queue = @queue group by r.stage
)`;
/** The free places of a stage. A stage that is no longer in the rules runs one job at a time. */
export const STAGE_PLACES = `coalesce((@stageLimits::jsonb ->> s.stage)::int, 1) - coalesce((
    select w.jobs from at_work w where w.stage = s.stage
  ), 0)`;
/** The stages that have ready jobs: one index probe finds the next, so no line is read. */
export const STAGES_IN_LINE = `with recursive s(stage) as (
    (select r.stage from andon_ready r where r.queue = @queue and r.stage is not null order by r.stage limit 1)
    union all
    select (
      select r.stage from andon_ready r where r.queue = @queue and r.stage > s.stage order by r.stage limit 1
    ) from s where s.stage is not null
  )`;

const STAGES = `${AT_WORK},
stages as materialized (
  ${STAGES_IN_LINE}
  select s.stage, least(@want::int, case when @stageLimits::jsonb = '{}' then @want::int else ${STAGE_PLACES} end) as free
  from s where s.stage is not null
)`;

/**
 * Jobs without a stage, added by a process that does not know the queue's rules: claimed when they reach the front of
 * the line.
 */
export const withoutStage = (most: string) => `
  select n.ctid, n.rank, n.pos from (
    select r.ctid, r.rank, r.pos, r.stage from andon_ready r where r.queue = @queue order by r.rank, r.pos limit ${most}
  ) n where n.stage is null`;
const WITHOUT_STAGE = withoutStage("@want::int");

/** The front of each stage's own line, as far as it has free places; the line of a full stage is not read. */
const IN_STAGES = (most: string) => `${STAGES},
picked as materialized (
  select f.ctid, f.rank, f.pos from (
  select l.ctid, l.rank, l.pos from stages s cross join lateral (
    select r.ctid, r.rank, r.pos from andon_ready r
    where r.queue = @queue and r.stage = s.stage
    order by r.rank, r.pos
    limit greatest(0, s.free)
  ) l
  union all${WITHOUT_STAGE}
  ) f
  where (select state from gate) = 'open'
  order by f.rank, f.pos
  limit ${most}
)`;

/** Starts within the limiter's last duration. An entry has at least one, so `max` entries are enough. */
const RECENT = `(
  select claimed, at from andon_claim_log where ${LAST_OF_CLAIM_LOG.where} and claimed > 0 order by ${LAST_OF_CLAIM_LOG.order} limit coalesce(@rateMax::int, 0)
) t where t.at > @now::bigint - @rateDuration::bigint`;
const LIMITED = `greatest(0, least(@want::int,
    case when @limit::int is not null then @limit::int - (select count(*)::int from andon_running where queue = @queue) end,
    @rateMax::int - (select coalesce(sum(t.claimed), 0)::int from ${RECENT})))`;
const NOT_IN_BACKOFF = `
    and not exists (select 1 from andon_timers t where t.queue = @queue and t.kind = 'backoff')`;

const FINISH_ONLY = { finish: true, lanes: false, claim: false };
const FINISH_IN_LANES = { finish: true, lanes: true, claim: false };
const CLAIM_ONLY = { finish: false, lanes: false, claim: true };
const BOTH = { finish: true, lanes: false, claim: true };

const claim = (picked: string, sharesAfter?: string) =>
  inArrays(
    compile(
      `with ${GATE},${CLAIM(picked)},${RECORD(CLAIM_ONLY)}\n${CLAIMED(NOTHING_FINISHED, sharesAfter)}`,
      "$",
    ),
  );

const finishAndClaim = (most: string) =>
  inArrays(
    compile(
      `with ${GATE},${ENDED_AFTER_GATE},${CLAIM(IN_LINE(most))},${RECORD(BOTH)}\n${CLAIMED(ACCEPTED)}`,
      "$",
    ),
  );

/**
 * Locks the queue and the lanes, in this order, in one statement. It does not wait for a lane: another transaction that
 * adds to one may stay open for long, and this one holds other lanes and the queue's lock, which a stop needs. Jobs of
 * such a lane are left for a later request; a setting names them to the statements of this transaction.
 */
const lockLanes = (advisory: string, row: string) =>
  compile(
    `with ${LOCKED_QUEUE(advisory, row)},
locked as materialized (
  select l.ctid, l.lane_key from andon_lanes l
  where l.queue = @queue and l.lane_key = any(@keys::text[]) and (select count(*) from queue) = 1
  for update skip locked
)
select set_config('${LANES_SETTING}', (select coalesce(string_agg(ctid::text, ' '), '') from locked), true),
  set_config('${BUSY_SETTING}', case when (select count(*) from locked) = cardinality(@keys::text[]) then '' else (
  select string_agg(distinct k.pos::text, ',') from unnest(@lanePositions::bigint[], coalesce(@laneKeys::text[], @keys::text[])) as k(pos, lane_key)
  where k.lane_key <> all(array(select lane_key from locked))
) end, true)`,
    "$",
  );

const finishIn = (lanes: string) =>
  compile(
    `with ${ENDED_IN_LOCKED_LANES},${LEFT_LANES(lanes)},${RECORD(FINISH_IN_LANES)}\nselect ${ACCEPTED}, nullif(${BUSY}, '') as busy`,
    "$",
  );

export const finishAndClaimStatements = {
  finish: compile(`with ${ENDED},${RECORD(FINISH_ONLY)}\nselect ${ACCEPTED}`, "$"),
  finishInLanes: finishIn(LANES_BY_KEY),
  /** After `lockLanes…`, in the same transaction. */
  finishInLockedLanes: finishIn(LANES_BY_PLACE),
  claim: claim(IN_LINE("@want::int")),
  claimLimited: claim(IN_LINE(LIMITED)),
  claimSerial: claim(IN_LINE(LIMITED, NOT_IN_BACKOFF)),
  claimShares: claim(claimShares.inShares(LIMITED), claimShares.sharesAfter),
  claimStages: claim(IN_STAGES(LIMITED)),
  claimStageShares: claim(
    claimShares.inStagesAndShares(STAGES, WITHOUT_STAGE, LIMITED),
    claimShares.sharesAfter,
  ),
  /** When the oldest start leaves the limiter's duration. */
  rateAllows: compile(`select min(t.at) + @rateDuration::bigint as at from ${RECENT}`, "$"),
  /** Claims stamped before the clock was set back would count until the clock has caught up with them. */
  rateSetBack: compile(
    `update andon_claim_log set at = @now::bigint where queue = @queue and id = any(array(
  select t.id from (
    select id, at from andon_claim_log where ${LAST_OF_CLAIM_LOG.where} and claimed > 0 order by ${LAST_OF_CLAIM_LOG.order} limit @rateMax::int
  ) t where t.at > @now::bigint + @rateLead::bigint
))`,
    "$",
  ),
  finishAndClaim: finishAndClaim("@want::int"),
  /**
   * Finishes, and claims no more than it finished, so a limit or a serial line is kept without counting what runs. In a
   * serial line nothing else can be running or in back-off while this worker's claim is valid.
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
  /** Finishing reads nothing that the queue's lock protects, so it can take that lock for the claim after it. */
  finishAndLock: compile(
    `with ${LOCKED_QUEUE("pg_advisory_xact_lock", "for update")},${ENDED_WHEN_LOCKED},${RECORD(FINISH_ONLY)}
select ${ACCEPTED}`,
    "$",
  ),
};
