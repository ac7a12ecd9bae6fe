import { compile, inArrays } from "../statement.ts";
import { AT_WORK, CLAIMED, STAGE_PLACES, STAGES_IN_LINE, withoutStage } from "./finish-and-claim.postgres.ts";
import { CLAIM_COLUMNS } from "./job-row.ts";

/*
 * Stages that end without being the last: the job continues in the next one, at the place that it drew when it was
 * added. Only jobs without lanes use these statements. Values of a row are looked up by its number, as in
 * finish-and-claim.postgres.ts. A job with a pending abort is refused, so that the verb that gives it back carries out
 * the abort.
 */

const COUNT = "cardinality(@advancing::bigint[])";
/** Stages to save are matched with those that ended only if some were refused: each is compared with all of them. */
const ALL_ACCEPTED = `(select count(*) from ended) = ${COUNT}`;

/**
 * Overwrites the record of a stage that was completed before and has run again. The "first time" statements leave this
 * out: an insert with `on conflict` searches for the row first, and writes twice (a twelfth of the server's time).
 */
const KEPT_ANEW = `
  on conflict (pos, number) do update set fence = excluded.fence, status = excluded.status, attempts = excluded.attempts,
    elapsed = excluded.elapsed, started_at = excluded.started_at, finished_at = excluded.finished_at`;
type Kept = typeof KEPT_ANEW | "";

/** Claims that are still valid, without a cancel or an abort. */
const STANDING = `r.queue = @queue and r.pos = any(@advancing::bigint[])
    and r.fence = case when @advanceFences::jsonb is null then @advanceFence::int else coalesce((@advanceFences::jsonb ->> r.pos::text)::int, @advanceFence::int) end
    and r.worker = @worker and r.cancel_actor is null
    and r.pos <> all(array(select w.pos from andon_abort_wishes w where w.pos = any(@advancing::bigint[])))`;

/** Values by position: most are equal, so only those that differ from the first are given by position. */
const byPosition = (first: string, others: string, row: string) =>
  `case when @${others}::jsonb is null then @${first}::text else coalesce(@${others}::jsonb ->> ${row}.pos::text, @${first}::text) end`;

const MOVED = (kept: Kept) => `
moved as (
  update andon_jobs j
  set stage = ${byPosition("nextStage", "nextStages", "j")}, outputs = ${byPosition("output", "outputs", "j")}, fence = j.fence + 1,
    attempts = 0, stalled = 0, cursor = null, stage_started_at = null, stage_elapsed = null,
    progress = case when @advanceProgresses::jsonb is null then j.progress else coalesce(@advanceProgresses::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
  returning j.rank, j.pos, j.share, j.stage, j.fence + 1 as next_fence
),
kept as (
  insert into andon_stages (pos, number, fence, name, status, attempts, elapsed, started_at, finished_at)
  select t.pos, t.number, t.fence, t.name, 'completed', t.attempts, t.before + greatest(0, @now::bigint - t.started_at), t.first_started_at, @now::bigint
  from unnest(@advancing::bigint[], @numbers::int[], @stageFences::int[], @stageNames::text[], @stageAttempts::int[],
    @elapsed::bigint[], @stageStarts::bigint[], @firstStarts::bigint[])
    as t(pos, number, fence, name, attempts, before, started_at, first_started_at)
  where ${ALL_ACCEPTED} or t.pos = any(array(select pos from ended))${kept}
)`;

const ACCEPTED = `(select count(*) from ended) as accepted,
  (select string_agg(pos::text, ',') from ended where not ${ALL_ACCEPTED}) as which`;

const advance = (kept: Kept) =>
  compile(
    `with ended as (
  delete from andon_running r
  where ${STANDING}
  returning r.pos
),${MOVED(kept)},
lined as (
  insert into andon_ready (queue, rank, pos, share, stage) select @queue, m.rank, m.pos, m.share, m.stage from moved m
),
counted as (
  insert into andon_tallies (queue, ready, running) select @queue, count(*), -count(*) from ended having count(*) > 0
)
select ${ACCEPTED}`,
    "$",
  );

const TOGETHER = "(select yes from together)";
/** The number of claims beside the jobs that continue together. */
const MOST = `case when ${TOGETHER} then @want::int - (select count(*)::int from ended) else @want::int end`;
/** Usually all of them continue at once, and none is looked up. */
const GOES_ON = `((select count(*) from picked where ctid is null) = (select count(*) from moved)
  or m.pos = any(array(select pos from picked where ctid is null)))`;

/**
 * Advances and claims if only stages have limits. It follows the statement that locked the queue exclusively for this
 * transaction, so no other claim runs meanwhile.
 *
 * Usually all of them continue `together`: their next stages have room even if none of them left its present one,
 * nobody in line goes before them, and no other claim needs a place that they leave. Their claims are then updated in
 * place: deleting and inserting each was a fifth of the server's time, and left a dead index entry per stage. No place
 * depends on whether a claim is still valid.
 *
 * Otherwise each competes with the line of its next stage by rank and position, and continues without standing in line
 * if a place is free. Claims that end here still count as running in this statement's snapshot: `freed` subtracts them.
 */
const advanceAndClaim = (kept: Kept) =>
  inArrays(
    compile(
      `with gate as materialized (select q.state, q.epoch from andon_queues q where q.name = @queue),${AT_WORK},
in_line as materialized (
  ${STAGES_IN_LINE}
  select s.stage from s where s.stage is not null
),
room as materialized (
  select s.stage, ${STAGE_PLACES} as places, coalesce((@entering::jsonb ->> s.stage)::int, 0) as entering,
    coalesce((@leaving::jsonb ->> s.stage)::int, 0) as leaving
  from (select stage from in_line union select jsonb_object_keys(@entering::jsonb) collate "C") s
),
together as materialized (
  select (select state from gate) = 'open' and ${COUNT} <= @want::int and (
    select count(*) from room s where s.places < s.entering
      or (s.leaving > 0 and s.places - s.entering < @want::int - ${COUNT})
      or (s.places + s.leaving > 0 and (
        select true from andon_ready r
        where r.queue = @queue and r.stage = s.stage and (r.rank, r.pos) < (@lastRank::int, @lastPos::bigint) limit 1
      ))
  ) = 0 as yes
),
went_on as (
  update andon_running r
  set stage = ${byPosition("nextStage", "nextStages", "r")}, fence = r.fence + 1, started_at = @now::bigint
  where ${TOGETHER} and ${STANDING}
  returning r.pos
),
stepped_out as (
  delete from andon_running r
  where not ${TOGETHER} and ${STANDING}
  returning r.pos, r.stage
),
ended as materialized (
  select pos from went_on union all select pos from stepped_out
),${MOVED(kept)},
freed as materialized (
  select stage, count(*)::int as jobs from stepped_out group by stage
),
stages as materialized (
  select s.stage, least(${MOST}, case when ${TOGETHER} then s.places - s.entering
    else s.places + coalesce((select f.jobs from freed f where f.stage = s.stage), 0) end) as free
  from room s
),
candidates as materialized (
  select c.ctid, c.rank, c.pos, s.stage, s.free from stages s cross join lateral (
    select r.ctid, r.rank, r.pos from andon_ready r
    where r.queue = @queue and r.stage = s.stage
    order by r.rank, r.pos
    limit greatest(0, s.free)
  ) c
  union all
  select null, m.rank, m.pos, m.stage, (select s.free from stages s where s.stage = m.stage) from moved m where not ${TOGETHER}
),
picked as materialized (
  select f.ctid, f.rank, f.pos from (
  select p.ctid, p.rank, p.pos from (
    select c.*, row_number() over (partition by c.stage order by c.rank, c.pos) as place from candidates c
  ) p where p.place <= p.free
  union all${withoutStage(MOST)}
  ) f
  where (select state from gate) = 'open'
  order by f.rank, f.pos
  limit ${MOST}
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked where ctid is not null)) returning pos
),
lined as (
  insert into andon_ready (queue, rank, pos, share, stage)
  select @queue, m.rank, m.pos, m.share, m.stage from moved m where not ${TOGETHER} and not ${GOES_ON}
),
again as materialized (
  select m.rank, m.pos, m.share, m.stage, m.next_fence from moved m where not ${TOGETHER} and ${GOES_ON}
),
claimed as materialized (
  select ${CLAIM_COLUMNS}, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select @queue, t.pos, t.share, t.stage, @worker, t.fence, @now::bigint from (
    select pos, share, stage, next_fence as fence from again union all select pos, share, stage, fence from claimed
  ) t
),
sums as materialized (
  select (select count(*) from ended) as advanced,
    case when ${TOGETHER} then (select count(*) from ended) else (select count(*) from again) end
      + (select count(*) from claimed) as claimed
),
counted as (
  insert into andon_tallies (queue, at, ready, running)
  select @queue, @now::bigint, advanced - claimed, claimed - advanced from sums where advanced + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started)
  select @queue, (select epoch from gate), @worker, @now::bigint, claimed, 0,
    case when ${TOGETHER} and claimed = ${COUNT} and ${ALL_ACCEPTED} then array_to_string(@advancing::bigint[], ',') else (
      select string_agg(s.pos::text, ',' order by s.rank, s.pos) from (
        select rank, pos from moved where ${TOGETHER} union all select rank, pos from again union all select rank, pos from claimed
      ) s
    ) end
  from sums where claimed > 0
)
${CLAIMED(ACCEPTED, `case when ${TOGETHER} then null else (select coalesce(string_agg(pos::text, ','), '') from again) end as going_on`)}`,
      "$",
    ),
  );

export const advanceStatements = {
  advance: advance(KEPT_ANEW),
  advanceAndClaim: advanceAndClaim(KEPT_ANEW),
  advanceFirstTime: advance(""),
  advanceFirstTimeAndClaim: advanceAndClaim(""),
};
