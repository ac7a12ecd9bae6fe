with 
cord as materialized (
  select pg_advisory_xact_lock_shared(5017261, hashtext($1))
),
gate as materialized (
  select q.state, q.epoch from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for share
),

picked as materialized (
  select r.ctid, r.rank, r.pos
  from andon_ready r
  where (r.queue, r.rank, r.pos) >= ($1::text, $2::int, $3::bigint)
    and (r.queue, r.rank, r.pos) <= ($1::text, 2147483647, 9223372036854775807)
    and (select state from gate) = 'open'
  order by r.queue, r.rank, r.pos
  limit greatest(0, least($4::int,
    $5::int - (select count(*)::int from andon_running where queue = $1),
    $6::int - (select coalesce(sum(t.claimed), 0)::int from (
  select claimed, at from andon_turns where queue >= $1 and queue <= $1 and claimed > 0 order by queue desc, id desc limit coalesce($6::int, 0)
) t where t.at > $7::bigint - $8::bigint)))
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
  select $1, pos, share, $9, fence, $7::bigint from claimed
),
sums as materialized (
  select 0 as done, null as finished,
    0 as admitted,
    p.claimed, p.started
  from (select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p
),
counted as (
  insert into andon_tallies (queue, blocked, ready, running, done)
  select $1, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_turns (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $9, $7::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select g.state as queue_state, c.* from gate g left join claimed c on true order by c.rank, c.pos;
