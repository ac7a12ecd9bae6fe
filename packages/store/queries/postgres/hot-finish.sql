with 
ended as (
  delete from andon_running r
  using unnest($1::bigint[], $2::int[], $3::text[]) as d(pos, fence, result)
  where r.queue = $4 and r.pos = any($1::bigint[]) and r.pos = d.pos
    and case when r.fence = d.fence and r.worker = $5 then r.cancel_actor is null else false end
  returning r.pos, r.fence, r.started_at, d.result
),
saved as (
  update andon_jobs j
  set state = 'done', fence = e.fence, stalled = 0, worker = $5, started_at = e.started_at,
    finished_at = $6::bigint, result = e.result, error_code = null, error_message = null, fingerprint = null
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
  select $4, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_turns (queue, epoch, worker, at, claimed, done, started, finished)
  select $4, null::bigint, $5, $6::bigint, claimed, done,
    null,
    (select string_agg(pos::text, ',') from ended)
  from sums where done + claimed > 0
)
select d.pos as refused from unnest($1::bigint[]) as d(pos)
where not exists (select 1 from ended e where e.pos = d.pos);
