with 
ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = ($3::jsonb ->> r.pos::text)::int and r.worker = $4 and r.cancel_actor is null
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
freed as (
  delete from andon_lane_jobs m
  where m.pos = any(array(select pos from ended))
  returning m.lane_key
),
advanced as (
  update andon_lanes l
  set depth = l.depth - 1,
    head_seq = case when l.held_at is null then coalesce((
      select min(n.seq) from andon_lane_jobs n
      where n.queue = $1 and n.lane_key = l.lane_key and n.seq > l.head_seq
    ), 0) else 0 end
  where l.queue = $1 and l.lane_key = any(array(select lane_key from freed))
  returning l.lane_key, l.head_seq
),
heads as materialized (
  select m.pos, m.lanes
  from advanced a
  join andon_lane_jobs m on m.queue = $1 and m.lane_key = a.lane_key and m.seq = a.head_seq
  where a.head_seq > 0
),
in_order as materialized (
  select j.pos from andon_jobs j where j.pos = any(array(select pos from heads where lanes > 1)) order by j.pos for update
),
promoted as (
  update andon_jobs j set waits = j.waits - a.lanes
  from (select pos, count(*)::int as lanes from heads where lanes > 1 group by pos) a
  where j.pos = a.pos and (select count(*) from in_order) > 0
  returning j.pos, j.waits
),
admitted as materialized (
  select pos from heads where lanes = 1 union all select pos from promoted where waits = 0
),
lined as (
  insert into andon_ready (queue, rank, pos, share)
  select $1, j.rank, j.pos, j.share from andon_jobs j where j.pos = any(array(select pos from admitted))
),
sums as materialized (
  select (select count(*) from ended) as done,
    (select count(*) from admitted) as admitted,
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
