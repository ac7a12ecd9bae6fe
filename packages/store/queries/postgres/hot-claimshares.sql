with 
cord as materialized (
  select pg_advisory_xact_lock_shared(5017261, hashtext($1))
),
gate as materialized (
  select q.state, q.epoch from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for share
),

shares as materialized (
  with recursive s(share) as (
    (select r.share from andon_ready r where r.queue = $1 and r.share is not null order by r.share limit 1)
    union all
    select (
      select r.share from andon_ready r where r.queue = $1 and r.share > s.share order by r.share limit 1
    ) from s where s.share is not null
  )
  select s.share, (
    select count(*) from andon_running r where r.queue = $1 and r.share = s.share
  ) as running
  from s where s.share is not null
),
picked as materialized (
  select f.ctid, f.rank, f.pos
  from (
  select l.ctid, l.rank, l.pos, l.turn from shares s cross join lateral (
    select r.ctid, r.rank, r.pos, s.running + row_number() over (order by r.rank, r.pos) as turn
    from andon_ready r
    where r.queue = $1 and r.share = s.share
    order by r.rank, r.pos
    limit greatest(0, least($2::int, $3::int - s.running))
  ) l
  union all
  select n.ctid, n.rank, n.pos, 0 from (
    select r.ctid, r.rank, r.pos, r.share from andon_ready r where r.queue = $1 order by r.rank, r.pos limit $2::int
  ) n where n.share is null
  ) f
  where (select state from gate) = 'open'
  order by f.turn, f.rank, f.pos
  limit greatest(0, least($2::int,
    $4::int - (select count(*)::int from andon_running where queue = $1),
    $5::int - (select coalesce(sum(t.claimed), 0)::int from (
  select claimed, at from andon_turns where queue >= $1 and queue <= $1 and claimed > 0 order by queue desc, id desc limit coalesce($5::int, 0)
) t where t.at > $6::bigint - $7::bigint)))
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, worker, fence, started_at)
  select $1, pos, share, $8, fence, $6::bigint from claimed
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
  select $1, (select epoch from gate), $8, $6::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select g.state as queue_state, c.* from gate g left join claimed c on true order by c.rank, c.pos;
