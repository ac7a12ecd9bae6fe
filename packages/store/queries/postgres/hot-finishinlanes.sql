with 
ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = ($3::jsonb ->> r.pos::text)::int and r.worker = $4 and r.cancel_actor is null and r.pos <> all(array(select unnest(string_to_array(coalesce(current_setting('andon.busy', true), ''), ','))::bigint))
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
freed as (
  delete from andon_lane_jobs m
  where m.pos = any(array(select pos from ended))
  returning m.lane_key, m.seq
),
held as materialized (
  select l.lane_key from andon_lanes l
  where l.queue = $1 and l.lane_key = any(array(select lane_key from freed)) and l.held_at + 0 is not null
),
heads as materialized (
  select f.lane_key, n.seq, n.pos, n.lanes
  from freed f cross join lateral (
    select n.seq, n.pos, n.lanes from andon_lane_jobs n
    where n.queue = $1 and n.lane_key = f.lane_key and n.seq > f.seq
    order by n.seq limit 1
  ) n
  where f.lane_key <> all(array(select lane_key from held))
),
advanced as (
  update andon_lanes l
  set depth = l.depth - 1,
    head_seq = coalesce(((select jsonb_object_agg(lane_key, seq) from heads) ->> l.lane_key)::bigint, 0)
  where l.queue = $1 and l.lane_key = any(array(select lane_key from freed))
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
  select $1, j.rank, j.pos, j.share from andon_jobs j where j.pos = any(array(select pos from admitted))
),
sums as materialized (
  select e.done, e.finished,
    (select count(*) from admitted) as admitted,
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
  (select finished from sums where done < cardinality($2::bigint[])) as which, nullif(coalesce(current_setting('andon.busy', true), ''), '') as busy;
