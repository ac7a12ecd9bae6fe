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
finished_count as (
  insert into andon_tallies (queue, running, done) select $6, -count(*), count(*) from ended having count(*) > 0
),
finished_turn as (
  insert into andon_turns (queue, worker, at, claimed, done, finished)
  select $6, $4, $5::bigint, 0, count(*), string_agg(pos::text, ',') from ended having count(*) > 0
)
select d.pos as refused from unnest($1::bigint[]) as d(pos) where d.pos <> all(array(select pos from ended));
