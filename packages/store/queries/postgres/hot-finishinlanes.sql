with 
ended as (
  delete from andon_running r
  using unnest($1::bigint[], $2::int[], $3::text[]) as d(pos, fence, result)
  where r.pos = any($1::bigint[]) and r.pos = d.pos
    and case when r.fence = d.fence and r.worker = $4 then r.cancel_actor is null else false end
  returning r.pos, r.fence, r.started_at, d.result
),
saved as (
  update andon_jobs j
  set state = 'done', fence = e.fence, stalled = 0, worker = $4, started_at = e.started_at,
    finished_at = $5::bigint, result = e.result
  from ended e
  where j.pos = any(array(select pos from ended)) and j.pos = e.pos
),
freed as (
  delete from andon_lane_jobs m
  where m.queue = $6 and m.pos = any(array(select pos from ended))
  returning m.lane_key, m.seq
),
advanced as (
  update andon_lanes l
  set depth = l.depth - 1,
    head_seq = case when l.held_at is null then coalesce((
      select min(n.seq) from andon_lane_jobs n where n.queue = $6 and n.lane_key = l.lane_key and n.seq > f.seq
    ), 0) else 0 end
  from freed f
  where l.queue = $6 and l.lane_key = any(array(select lane_key from freed)) and l.lane_key = f.lane_key
  returning l.lane_key, l.head_seq
),
admitted as materialized (
  select m.pos, count(*)::int as lanes
  from advanced a
  join andon_lane_jobs m on m.queue = $6 and m.lane_key = a.lane_key and m.seq = a.head_seq
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
  insert into andon_ready (queue, rank, pos) select $6, rank, pos from promoted where waits = 0
),
admitted_count as (
  insert into andon_tallies (queue, blocked, ready)
  select $6, -count(*), count(*) from promoted where waits = 0 having count(*) > 0
),
finished_count as (
  insert into andon_tallies (queue, running, done) select $6, -count(*), count(*) from ended having count(*) > 0
),
finished_turn as (
  insert into andon_turns (queue, worker, at, claimed, done, finished)
  select $6, $4, $5::bigint, 0, count(*), string_agg(pos::text, ',') from ended having count(*) > 0
)
select d.pos as refused from unnest($1::bigint[]) as d(pos) where d.pos <> all(array(select pos from ended));
