with 
cord as materialized (select pg_advisory_xact_lock(5017261, hashtext($1))),
queue as materialized (
  select q.state from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for update
),
ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = ($3::jsonb ->> r.pos::text)::int and r.worker = $4 and r.cancel_actor is null and (select count(*) from queue) = 1
  returning r.pos
),
saved as (
  update andon_jobs j
  set state = 'done', fence = j.fence + 1, stalled = 0, worker = $4,
    started_at = ($5::jsonb ->> j.pos::text)::bigint, finished_at = $6::bigint,
    result = $7::jsonb ->> j.pos::text,
    progress = coalesce($8::jsonb ->> j.pos::text, j.progress), error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
),
sums as materialized (
  select e.done, e.finished,
    0 as admitted,
    0 as claimed, null as started
  from (select count(*) as done, string_agg(pos::text, ',') as finished from ended) e
),
counted as (
  insert into andon_tallies (queue, blocked, ready, running, done)
  select $1, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_turns (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, null::bigint, $4, $6::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select (select done from sums) as accepted,
  (select finished from sums where done < cardinality($2::bigint[])) as which;
