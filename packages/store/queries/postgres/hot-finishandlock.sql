with 
cord as materialized (select pg_advisory_xact_lock(5017261, hashtext($1))),
queue as materialized (
  select q.state from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for update
),
ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = ($3::jsonb ->> r.pos::text)::int and r.worker = $4 and r.cancel_actor is null and (select count(*) from queue) = 1
  returning r.pos, r.fence, r.started_at
),
saved as (
  update andon_jobs j
  set state = 'done', fence = e.fence, stalled = 0, worker = $4, started_at = e.started_at,
    finished_at = $5::bigint, result = $6::jsonb ->> j.pos::text, error_code = null, error_message = null,
    fingerprint = null
  from ended e
  where j.pos = e.pos
),
sums as materialized (
  select (select count(*) from ended) as done,
    0 as admitted,
    0 as claimed
),
counted as (
  insert into andon_tallies (queue, blocked, ready, running, done)
  select $1, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_turns (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, null::bigint, $4, $5::bigint, claimed, done,
    null,
    (select string_agg(pos::text, ',') from ended)
  from sums where done + claimed > 0
)
select (select count(*) from ended) as accepted,
  (select case when count(*) < cardinality($2::bigint[]) then string_agg(pos::text, ',') end from ended) as which;
