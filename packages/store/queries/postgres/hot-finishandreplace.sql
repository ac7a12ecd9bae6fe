with 
cord as materialized (
  select pg_advisory_xact_lock_shared(5017261, hashtext($1))
),
gate as materialized (
  select q.state, q.epoch from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for share
),
ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = ($3::jsonb ->> r.pos::text)::int and r.worker = $4 and r.cancel_actor is null and (select count(*) from gate) = 1
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

picked as materialized (
  select r.ctid, r.rank, r.pos
  from andon_ready r
  where (r.queue, r.rank, r.pos) >= ($1::text, $9::int, $10::bigint)
    and (r.queue, r.rank, r.pos) <= ($1::text, 2147483647, 9223372036854775807)
    and (select state from gate) = 'open'
  order by r.queue, r.rank, r.pos
  limit least($11::int, (select count(*)::int from ended))
  for update skip locked
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, worker, fence, started_at)
  select $1, pos, share, $4, fence, $6::bigint from claimed
),
sums as materialized (
  select e.done, e.finished,
    0 as admitted,
    p.claimed, p.started
  from (select count(*) as done, string_agg(pos::text, ',') as finished from ended) e, (select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p
),
counted as (
  insert into andon_tallies (queue, blocked, ready, running, done)
  select $1, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_turns (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $4, $6::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select (select done from sums) as accepted,
  (select finished from sums where done < cardinality($2::bigint[])) as which, x.* from (select g.state as queue_state, c.* from gate g left join claimed c on true order by c.rank, c.pos) x;
