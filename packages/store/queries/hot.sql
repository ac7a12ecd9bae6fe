-- hot-advance (PostgreSQL)
with ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = case when $3::jsonb is null then $4::int else coalesce(($3::jsonb ->> r.pos::text)::int, $4::int) end
    and r.worker = $5 and r.cancel_actor is null
    and r.pos <> all(array(select w.pos from andon_abort_wishes w where w.pos = any($2::bigint[])))
  returning r.pos
),
moved as (
  update andon_jobs j
  set stage = case when $6::jsonb is null then $7::text else coalesce($6::jsonb ->> j.pos::text, $7::text) end, outputs = case when $8::jsonb is null then $9::text else coalesce($8::jsonb ->> j.pos::text, $9::text) end, fence = j.fence + 1,
    attempts = 0, stalled = 0, cursor = null, stage_started_at = null, stage_elapsed = null,
    progress = case when $10::jsonb is null then j.progress else coalesce($10::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
  returning j.rank, j.pos, j.share, j.stage, j.fence + 1 as next_fence
),
kept as (
  insert into andon_stages (pos, number, fence, name, status, attempts, elapsed, started_at, finished_at)
  select t.pos, t.number, t.fence, t.name, 'completed', t.attempts, t.before + greatest(0, $11::bigint - t.started_at), t.first_started_at, $11::bigint
  from unnest($2::bigint[], $12::int[], $13::int[], $14::text[], $15::int[],
    $16::bigint[], $17::bigint[], $18::bigint[])
    as t(pos, number, fence, name, attempts, before, started_at, first_started_at)
  where (select count(*) from ended) = cardinality($2::bigint[]) or t.pos = any(array(select pos from ended))
  on conflict (pos, number) do update set fence = excluded.fence, status = excluded.status, attempts = excluded.attempts,
    elapsed = excluded.elapsed, started_at = excluded.started_at, finished_at = excluded.finished_at
),
lined as (
  insert into andon_ready (queue, rank, pos, share, stage) select $1, m.rank, m.pos, m.share, m.stage from moved m
),
counted as (
  insert into andon_tallies (queue, ready, running) select $1, count(*), -count(*) from ended having count(*) > 0
)
select (select count(*) from ended) as accepted,
  (select string_agg(pos::text, ',') from ended where not (select count(*) from ended) = cardinality($2::bigint[])) as which;

-- hot-advanceandclaim (PostgreSQL)
with gate as materialized (select q.state, q.epoch from andon_queues q where q.name = $1),
at_work as materialized (
  select r.stage, count(*)::int as jobs from andon_running r where r.queue = $1 group by r.stage
),
in_line as materialized (
  with recursive s(stage) as (
    (select r.stage from andon_ready r where r.queue = $1 and r.stage is not null order by r.stage limit 1)
    union all
    select (
      select r.stage from andon_ready r where r.queue = $1 and r.stage > s.stage order by r.stage limit 1
    ) from s where s.stage is not null
  )
  select s.stage from s where s.stage is not null
),
room as materialized (
  select s.stage, coalesce(($2::jsonb ->> s.stage)::int, 1) - coalesce((
    select w.jobs from at_work w where w.stage = s.stage
  ), 0) as places, coalesce(($3::jsonb ->> s.stage)::int, 0) as entering,
    coalesce(($4::jsonb ->> s.stage)::int, 0) as leaving
  from (select stage from in_line union select jsonb_object_keys($3::jsonb) collate "C") s
),
together as materialized (
  select (select state from gate) = 'open' and cardinality($5::bigint[]) <= $6::int and (
    select count(*) from room s where s.places < s.entering
      or (s.leaving > 0 and s.places - s.entering < $6::int - cardinality($5::bigint[]))
      or (s.places + s.leaving > 0 and (
        select true from andon_ready r
        where r.queue = $1 and r.stage = s.stage and (r.rank, r.pos) < ($7::int, $8::bigint) limit 1
      ))
  ) = 0 as yes
),
went_on as (
  update andon_running r
  set stage = case when $9::jsonb is null then $10::text else coalesce($9::jsonb ->> r.pos::text, $10::text) end, fence = r.fence + 1, started_at = $11::bigint
  where (select yes from together) and r.queue = $1 and r.pos = any($5::bigint[])
    and r.fence = case when $12::jsonb is null then $13::int else coalesce(($12::jsonb ->> r.pos::text)::int, $13::int) end
    and r.worker = $14 and r.cancel_actor is null
    and r.pos <> all(array(select w.pos from andon_abort_wishes w where w.pos = any($5::bigint[])))
  returning r.pos
),
stepped_out as (
  delete from andon_running r
  where not (select yes from together) and r.queue = $1 and r.pos = any($5::bigint[])
    and r.fence = case when $12::jsonb is null then $13::int else coalesce(($12::jsonb ->> r.pos::text)::int, $13::int) end
    and r.worker = $14 and r.cancel_actor is null
    and r.pos <> all(array(select w.pos from andon_abort_wishes w where w.pos = any($5::bigint[])))
  returning r.pos, r.stage
),
ended as materialized (
  select pos from went_on union all select pos from stepped_out
),
moved as (
  update andon_jobs j
  set stage = case when $9::jsonb is null then $10::text else coalesce($9::jsonb ->> j.pos::text, $10::text) end, outputs = case when $15::jsonb is null then $16::text else coalesce($15::jsonb ->> j.pos::text, $16::text) end, fence = j.fence + 1,
    attempts = 0, stalled = 0, cursor = null, stage_started_at = null, stage_elapsed = null,
    progress = case when $17::jsonb is null then j.progress else coalesce($17::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
  returning j.rank, j.pos, j.share, j.stage, j.fence + 1 as next_fence
),
kept as (
  insert into andon_stages (pos, number, fence, name, status, attempts, elapsed, started_at, finished_at)
  select t.pos, t.number, t.fence, t.name, 'completed', t.attempts, t.before + greatest(0, $11::bigint - t.started_at), t.first_started_at, $11::bigint
  from unnest($5::bigint[], $18::int[], $19::int[], $20::text[], $21::int[],
    $22::bigint[], $23::bigint[], $24::bigint[])
    as t(pos, number, fence, name, attempts, before, started_at, first_started_at)
  where (select count(*) from ended) = cardinality($5::bigint[]) or t.pos = any(array(select pos from ended))
  on conflict (pos, number) do update set fence = excluded.fence, status = excluded.status, attempts = excluded.attempts,
    elapsed = excluded.elapsed, started_at = excluded.started_at, finished_at = excluded.finished_at
),
freed as materialized (
  select stage, count(*)::int as jobs from stepped_out group by stage
),
stages as materialized (
  select s.stage, least(case when (select yes from together) then $6::int - (select count(*)::int from ended) else $6::int end, case when (select yes from together) then s.places - s.entering
    else s.places + coalesce((select f.jobs from freed f where f.stage = s.stage), 0) end) as free
  from room s
),
candidates as materialized (
  select c.ctid, c.rank, c.pos, s.stage, s.free from stages s cross join lateral (
    select r.ctid, r.rank, r.pos from andon_ready r
    where r.queue = $1 and r.stage = s.stage
    order by r.rank, r.pos
    limit greatest(0, s.free)
  ) c
  union all
  select null, m.rank, m.pos, m.stage, (select s.free from stages s where s.stage = m.stage) from moved m where not (select yes from together)
),
picked as materialized (
  select f.ctid, f.rank, f.pos from (
  select p.ctid, p.rank, p.pos from (
    select c.*, row_number() over (partition by c.stage order by c.rank, c.pos) as place from candidates c
  ) p where p.place <= p.free
  union all
  select n.ctid, n.rank, n.pos from (
    select r.ctid, r.rank, r.pos, r.stage from andon_ready r where r.queue = $1 order by r.rank, r.pos limit case when (select yes from together) then $6::int - (select count(*)::int from ended) else $6::int end
  ) n where n.stage is null
  ) f
  where (select state from gate) = 'open'
  order by f.rank, f.pos
  limit case when (select yes from together) then $6::int - (select count(*)::int from ended) else $6::int end
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked where ctid is not null)) returning pos
),
lined as (
  insert into andon_ready (queue, rank, pos, share, stage)
  select $1, m.rank, m.pos, m.share, m.stage from moved m where not (select yes from together) and not ((select count(*) from picked where ctid is null) = (select count(*) from moved)
  or m.pos = any(array(select pos from picked where ctid is null)))
),
again as materialized (
  select m.rank, m.pos, m.share, m.stage, m.next_fence from moved m where not (select yes from together) and ((select count(*) from picked where ctid is null) = (select count(*) from moved)
  or m.pos = any(array(select pos from picked where ctid is null)))
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, t.pos, t.share, t.stage, $14, t.fence, $11::bigint from (
    select pos, share, stage, next_fence as fence from again union all select pos, share, stage, fence from claimed
  ) t
),
sums as materialized (
  select (select count(*) from ended) as advanced,
    case when (select yes from together) then (select count(*) from ended) else (select count(*) from again) end
      + (select count(*) from claimed) as claimed
),
counted as (
  insert into andon_tallies (queue, at, ready, running)
  select $1, $11::bigint, advanced - claimed, claimed - advanced from sums where advanced + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started)
  select $1, (select epoch from gate), $14, $11::bigint, claimed, 0,
    case when (select yes from together) and claimed = cardinality($5::bigint[]) and (select count(*) from ended) = cardinality($5::bigint[]) then array_to_string($5::bigint[], ',') else (
      select string_agg(s.pos::text, ',' order by s.rank, s.pos) from (
        select rank, pos from moved where (select yes from together) union all select rank, pos from again union all select rank, pos from claimed
      ) s
    ) end
  from sums where claimed > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, (select count(*) from ended) as accepted,
  (select string_agg(pos::text, ',') from ended where not (select count(*) from ended) = cardinality($5::bigint[])) as which, case when (select yes from together) then null else (select coalesce(string_agg(pos::text, ','), '') from again) end as going_on) h
union all select c.*, null, null, null, null, null from claimed c;

-- hot-advancefirsttime (PostgreSQL)
with ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = case when $3::jsonb is null then $4::int else coalesce(($3::jsonb ->> r.pos::text)::int, $4::int) end
    and r.worker = $5 and r.cancel_actor is null
    and r.pos <> all(array(select w.pos from andon_abort_wishes w where w.pos = any($2::bigint[])))
  returning r.pos
),
moved as (
  update andon_jobs j
  set stage = case when $6::jsonb is null then $7::text else coalesce($6::jsonb ->> j.pos::text, $7::text) end, outputs = case when $8::jsonb is null then $9::text else coalesce($8::jsonb ->> j.pos::text, $9::text) end, fence = j.fence + 1,
    attempts = 0, stalled = 0, cursor = null, stage_started_at = null, stage_elapsed = null,
    progress = case when $10::jsonb is null then j.progress else coalesce($10::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
  returning j.rank, j.pos, j.share, j.stage, j.fence + 1 as next_fence
),
kept as (
  insert into andon_stages (pos, number, fence, name, status, attempts, elapsed, started_at, finished_at)
  select t.pos, t.number, t.fence, t.name, 'completed', t.attempts, t.before + greatest(0, $11::bigint - t.started_at), t.first_started_at, $11::bigint
  from unnest($2::bigint[], $12::int[], $13::int[], $14::text[], $15::int[],
    $16::bigint[], $17::bigint[], $18::bigint[])
    as t(pos, number, fence, name, attempts, before, started_at, first_started_at)
  where (select count(*) from ended) = cardinality($2::bigint[]) or t.pos = any(array(select pos from ended))
),
lined as (
  insert into andon_ready (queue, rank, pos, share, stage) select $1, m.rank, m.pos, m.share, m.stage from moved m
),
counted as (
  insert into andon_tallies (queue, ready, running) select $1, count(*), -count(*) from ended having count(*) > 0
)
select (select count(*) from ended) as accepted,
  (select string_agg(pos::text, ',') from ended where not (select count(*) from ended) = cardinality($2::bigint[])) as which;

-- hot-advancefirsttimeandclaim (PostgreSQL)
with gate as materialized (select q.state, q.epoch from andon_queues q where q.name = $1),
at_work as materialized (
  select r.stage, count(*)::int as jobs from andon_running r where r.queue = $1 group by r.stage
),
in_line as materialized (
  with recursive s(stage) as (
    (select r.stage from andon_ready r where r.queue = $1 and r.stage is not null order by r.stage limit 1)
    union all
    select (
      select r.stage from andon_ready r where r.queue = $1 and r.stage > s.stage order by r.stage limit 1
    ) from s where s.stage is not null
  )
  select s.stage from s where s.stage is not null
),
room as materialized (
  select s.stage, coalesce(($2::jsonb ->> s.stage)::int, 1) - coalesce((
    select w.jobs from at_work w where w.stage = s.stage
  ), 0) as places, coalesce(($3::jsonb ->> s.stage)::int, 0) as entering,
    coalesce(($4::jsonb ->> s.stage)::int, 0) as leaving
  from (select stage from in_line union select jsonb_object_keys($3::jsonb) collate "C") s
),
together as materialized (
  select (select state from gate) = 'open' and cardinality($5::bigint[]) <= $6::int and (
    select count(*) from room s where s.places < s.entering
      or (s.leaving > 0 and s.places - s.entering < $6::int - cardinality($5::bigint[]))
      or (s.places + s.leaving > 0 and (
        select true from andon_ready r
        where r.queue = $1 and r.stage = s.stage and (r.rank, r.pos) < ($7::int, $8::bigint) limit 1
      ))
  ) = 0 as yes
),
went_on as (
  update andon_running r
  set stage = case when $9::jsonb is null then $10::text else coalesce($9::jsonb ->> r.pos::text, $10::text) end, fence = r.fence + 1, started_at = $11::bigint
  where (select yes from together) and r.queue = $1 and r.pos = any($5::bigint[])
    and r.fence = case when $12::jsonb is null then $13::int else coalesce(($12::jsonb ->> r.pos::text)::int, $13::int) end
    and r.worker = $14 and r.cancel_actor is null
    and r.pos <> all(array(select w.pos from andon_abort_wishes w where w.pos = any($5::bigint[])))
  returning r.pos
),
stepped_out as (
  delete from andon_running r
  where not (select yes from together) and r.queue = $1 and r.pos = any($5::bigint[])
    and r.fence = case when $12::jsonb is null then $13::int else coalesce(($12::jsonb ->> r.pos::text)::int, $13::int) end
    and r.worker = $14 and r.cancel_actor is null
    and r.pos <> all(array(select w.pos from andon_abort_wishes w where w.pos = any($5::bigint[])))
  returning r.pos, r.stage
),
ended as materialized (
  select pos from went_on union all select pos from stepped_out
),
moved as (
  update andon_jobs j
  set stage = case when $9::jsonb is null then $10::text else coalesce($9::jsonb ->> j.pos::text, $10::text) end, outputs = case when $15::jsonb is null then $16::text else coalesce($15::jsonb ->> j.pos::text, $16::text) end, fence = j.fence + 1,
    attempts = 0, stalled = 0, cursor = null, stage_started_at = null, stage_elapsed = null,
    progress = case when $17::jsonb is null then j.progress else coalesce($17::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
  returning j.rank, j.pos, j.share, j.stage, j.fence + 1 as next_fence
),
kept as (
  insert into andon_stages (pos, number, fence, name, status, attempts, elapsed, started_at, finished_at)
  select t.pos, t.number, t.fence, t.name, 'completed', t.attempts, t.before + greatest(0, $11::bigint - t.started_at), t.first_started_at, $11::bigint
  from unnest($5::bigint[], $18::int[], $19::int[], $20::text[], $21::int[],
    $22::bigint[], $23::bigint[], $24::bigint[])
    as t(pos, number, fence, name, attempts, before, started_at, first_started_at)
  where (select count(*) from ended) = cardinality($5::bigint[]) or t.pos = any(array(select pos from ended))
),
freed as materialized (
  select stage, count(*)::int as jobs from stepped_out group by stage
),
stages as materialized (
  select s.stage, least(case when (select yes from together) then $6::int - (select count(*)::int from ended) else $6::int end, case when (select yes from together) then s.places - s.entering
    else s.places + coalesce((select f.jobs from freed f where f.stage = s.stage), 0) end) as free
  from room s
),
candidates as materialized (
  select c.ctid, c.rank, c.pos, s.stage, s.free from stages s cross join lateral (
    select r.ctid, r.rank, r.pos from andon_ready r
    where r.queue = $1 and r.stage = s.stage
    order by r.rank, r.pos
    limit greatest(0, s.free)
  ) c
  union all
  select null, m.rank, m.pos, m.stage, (select s.free from stages s where s.stage = m.stage) from moved m where not (select yes from together)
),
picked as materialized (
  select f.ctid, f.rank, f.pos from (
  select p.ctid, p.rank, p.pos from (
    select c.*, row_number() over (partition by c.stage order by c.rank, c.pos) as place from candidates c
  ) p where p.place <= p.free
  union all
  select n.ctid, n.rank, n.pos from (
    select r.ctid, r.rank, r.pos, r.stage from andon_ready r where r.queue = $1 order by r.rank, r.pos limit case when (select yes from together) then $6::int - (select count(*)::int from ended) else $6::int end
  ) n where n.stage is null
  ) f
  where (select state from gate) = 'open'
  order by f.rank, f.pos
  limit case when (select yes from together) then $6::int - (select count(*)::int from ended) else $6::int end
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked where ctid is not null)) returning pos
),
lined as (
  insert into andon_ready (queue, rank, pos, share, stage)
  select $1, m.rank, m.pos, m.share, m.stage from moved m where not (select yes from together) and not ((select count(*) from picked where ctid is null) = (select count(*) from moved)
  or m.pos = any(array(select pos from picked where ctid is null)))
),
again as materialized (
  select m.rank, m.pos, m.share, m.stage, m.next_fence from moved m where not (select yes from together) and ((select count(*) from picked where ctid is null) = (select count(*) from moved)
  or m.pos = any(array(select pos from picked where ctid is null)))
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, t.pos, t.share, t.stage, $14, t.fence, $11::bigint from (
    select pos, share, stage, next_fence as fence from again union all select pos, share, stage, fence from claimed
  ) t
),
sums as materialized (
  select (select count(*) from ended) as advanced,
    case when (select yes from together) then (select count(*) from ended) else (select count(*) from again) end
      + (select count(*) from claimed) as claimed
),
counted as (
  insert into andon_tallies (queue, at, ready, running)
  select $1, $11::bigint, advanced - claimed, claimed - advanced from sums where advanced + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started)
  select $1, (select epoch from gate), $14, $11::bigint, claimed, 0,
    case when (select yes from together) and claimed = cardinality($5::bigint[]) and (select count(*) from ended) = cardinality($5::bigint[]) then array_to_string($5::bigint[], ',') else (
      select string_agg(s.pos::text, ',' order by s.rank, s.pos) from (
        select rank, pos from moved where (select yes from together) union all select rank, pos from again union all select rank, pos from claimed
      ) s
    ) end
  from sums where claimed > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, (select count(*) from ended) as accepted,
  (select string_agg(pos::text, ',') from ended where not (select count(*) from ended) = cardinality($5::bigint[])) as which, case when (select yes from together) then null else (select coalesce(string_agg(pos::text, ','), '') from again) end as going_on) h
union all select c.*, null, null, null, null, null from claimed c;

-- hot-claim (PostgreSQL)
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
  limit $4::int
  for update skip locked
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, pos, share, stage, $5, fence, $6::bigint from claimed
),
sums as materialized (
  select 0 as done, null as finished,
    0 as admitted,
    p.claimed, p.started
  from (select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $6::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $5, $6::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, null::bigint as accepted, null::text as which) h
union all select c.*, null, null, null, null from claimed c;

-- hot-claim-log-admit_next (SQLite)
insert into andon_ready (queue, rank, pos, share, stage)
select ?1, j.rank, j.pos, j.share, j.stage from (
  select pos, lanes from andon_lane_jobs where queue = ?1 and lane_key = ?2 and seq > ?3 order by seq limit 1
) m cross join andon_jobs j on j.pos = m.pos
where m.lanes = 1 and (select held_at from andon_lanes where queue = ?1 and lane_key = ?2) is null;

-- hot-claim-log-advance (SQLite)
update andon_lanes set depth = depth - 1,
  head_seq = case when held_at is null then coalesce((
    select min(seq) from andon_lane_jobs n where n.queue = ?1 and n.lane_key = ?2 and n.seq > ?3
  ), 0) else 0 end
where queue = ?1 and lane_key = ?2;

-- hot-claim-log-advance_stage (SQLite)
update andon_jobs set stage = ?2, outputs = ?3, fence = ?4, attempts = 0, stalled = 0,
  cursor = null, stage_started_at = null, stage_elapsed = null, error_code = null, error_message = null, fingerprint = null
where pos = ?1;

-- hot-claim-log-advance_with_progress (SQLite)
update andon_jobs set stage = ?2, outputs = ?3, fence = ?4, attempts = 0, stalled = 0,
  cursor = null, stage_started_at = null, stage_elapsed = null, error_code = null, error_message = null, fingerprint = null, progress = ?5
where pos = ?1;

-- hot-claim-log-backoff (SQLite)
select 1 from andon_timers where queue = ?1 and kind = 'backoff' limit 1;

-- hot-claim-log-claim_listed (SQLite)
select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence
from json_each(?1) e cross join andon_jobs j on j.pos = e.value;

-- hot-claim-log-end (SQLite)
delete from andon_running
where queue = ?4 and pos = ?1 and fence = ?2 and worker = ?3 and cancel_actor is null;

-- hot-claim-log-end_stage (SQLite)
delete from andon_running
where queue = ?4 and pos = ?1 and fence = ?2 and worker = ?3 and cancel_actor is null and not exists (select 1 from andon_abort_wishes w where w.pos = ?1);

-- hot-claim-log-entry (SQLite)
insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- hot-claim-log-front_of_line (SQLite)
select rank, pos, share, stage from andon_ready
where queue = ?1 order by rank, pos limit ?2 + 0;

-- hot-claim-log-front_of_share (SQLite)
select rank, pos, share, stage from andon_ready indexed by andon_ready_share
where queue = ?1 and share = ?2 order by rank, pos limit ?3 + 0;

-- hot-claim-log-front_of_share_of_stage (SQLite)
select rank, pos, share, stage from andon_ready indexed by andon_ready_stage_share
where queue = ?1 and stage = ?2 and share = ?3 order by rank, pos limit ?4 + 0;

-- hot-claim-log-front_of_stage (SQLite)
select rank, pos from andon_ready
where queue = ?1 and stage = ?2 order by rank, pos limit ?3 + 0;

-- hot-claim-log-front_of_stage_shares (SQLite)
select rank, pos, share, stage from andon_ready indexed by andon_ready_stage
where queue = ?1 and stage = ?2 order by rank, pos limit ?3 + 0;

-- hot-claim-log-front_without_share (SQLite)
select rank, pos, share, stage from (
  select rank, pos, share, stage from andon_ready where queue = ?1 order by rank, pos limit ?2 + 0
) where share is null;

-- hot-claim-log-front_without_stage (SQLite)
select rank, pos, share, stage from (
  select rank, pos, share, stage from andon_ready where queue = ?1 order by rank, pos limit ?2 + 0
) where stage is null;

-- hot-claim-log-gate (SQLite)
select state, epoch from andon_queues where name = ?1;

-- hot-claim-log-keep_stage (SQLite)
insert into andon_stages (pos, number, fence, name, status, attempts, elapsed, started_at, finished_at)
values (?1, ?2, ?3, ?4, 'completed', ?5, ?6, ?7, ?8)
on conflict (pos, number) do update set fence = excluded.fence, status = excluded.status, attempts = excluded.attempts,
  elapsed = excluded.elapsed, started_at = excluded.started_at, finished_at = excluded.finished_at;

-- hot-claim-log-leave (SQLite)
delete from andon_lane_jobs where queue = ?1 and lane_key = ?2 and seq = ?3;

-- hot-claim-log-leave_all (SQLite)
delete from andon_lane_jobs where pos = ?1 returning lane_key, seq;

-- hot-claim-log-let_through (SQLite)
update andon_jobs set waits = waits - 1 where pos = (
  select m.pos from andon_lanes l
  join andon_lane_jobs m on m.queue = l.queue and m.lane_key = l.lane_key and m.seq = l.head_seq
  where l.queue = ?1 and l.lane_key = ?2 and m.lanes > 1
) returning pos, rank, share, stage, waits;

-- hot-claim-log-next_share (SQLite)
select share from andon_ready where queue = ?1 and share > ?2 order by share limit 1;

-- hot-claim-log-next_share_of_stage (SQLite)
select share from andon_ready
where queue = ?1 and stage = ?2 and share > ?3 order by share limit 1;

-- hot-claim-log-next_stage (SQLite)
select stage from andon_ready where queue = ?1 and stage > ?2 order by stage limit 1;

-- hot-claim-log-pick (SQLite)
select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence
from andon_ready r cross join andon_jobs j on j.pos = r.pos
where r.queue = ?1 order by r.rank, r.pos limit ?2 + 0;

-- hot-claim-log-ready (SQLite)
insert into andon_ready (queue, rank, pos, share, stage) values (?1, ?2, ?3, ?4, ?5);

-- hot-claim-log-ready_again (SQLite)
insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, share, stage from andon_jobs where pos = ?1;

-- hot-claim-log-recent (SQLite)
select coalesce(sum(claimed), 0) as started, min(at) as first from (
  select claimed, at from andon_claim_log where queue = ?1 and claimed > 0 order by id desc limit ?2 + 0
) where at > ?3;

-- hot-claim-log-running (SQLite)
select count(*) as running from andon_running where queue = ?1;

-- hot-claim-log-running_shares (SQLite)
select share, count(*) as running from andon_running
where queue = ?1 and share is not null group by share;

-- hot-claim-log-running_stages (SQLite)
select stage, count(*) as running from andon_running
where queue = ?1 and stage is not null group by stage;

-- hot-claim-log-save (SQLite)
update andon_jobs set state = 'done', fence = ?2, stalled = 0, worker = ?3, started_at = ?4,
  finished_at = ?5, result = ?6, error_code = null, error_message = null, fingerprint = null where pos = ?1;

-- hot-claim-log-save_with_progress (SQLite)
update andon_jobs set state = 'done', fence = ?2, stalled = 0, worker = ?3, started_at = ?4,
  finished_at = ?5, result = ?6, error_code = null, error_message = null, fingerprint = null, progress = ?7 where pos = ?1;

-- hot-claim-log-set_back (SQLite)
update andon_claim_log set at = ?3 where id in (
  select id from (
    select id, at from andon_claim_log where queue = ?1 and claimed > 0 order by id desc limit ?2 + 0
  ) where at > ?4
);

-- hot-claim-log-start (SQLite)
insert into andon_running (pos, queue, worker, fence, started_at, share, stage) values (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- hot-claim-log-take (SQLite)
delete from andon_ready where queue = ?1 and (rank, pos) <= (?2, ?3);

-- hot-claim-log-take_one (SQLite)
delete from andon_ready where queue = ?1 and rank = ?2 and pos = ?3;

-- hot-claim-log-tally (SQLite)
insert into andon_tallies (queue, blocked, ready, running, done, at) values (?1, ?2, ?3, ?4, ?5, ?6);

-- hot-claimlimited (PostgreSQL)
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
    case when $5::int is not null then $5::int - (select count(*)::int from andon_running where queue = $1) end,
    $6::int - (select coalesce(sum(t.claimed), 0)::int from (
  select claimed, at from andon_claim_log where queue >= $1 and queue <= $1 and claimed > 0 order by queue desc, id desc limit coalesce($6::int, 0)
) t where t.at > $7::bigint - $8::bigint)))
  for update skip locked
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, pos, share, stage, $9, fence, $7::bigint from claimed
),
sums as materialized (
  select 0 as done, null as finished,
    0 as admitted,
    p.claimed, p.started
  from (select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $7::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $9, $7::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, null::bigint as accepted, null::text as which) h
union all select c.*, null, null, null, null from claimed c;

-- hot-claimserial (PostgreSQL)
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
    and not exists (select 1 from andon_timers t where t.queue = $1 and t.kind = 'backoff')
  order by r.queue, r.rank, r.pos
  limit greatest(0, least($4::int,
    case when $5::int is not null then $5::int - (select count(*)::int from andon_running where queue = $1) end,
    $6::int - (select coalesce(sum(t.claimed), 0)::int from (
  select claimed, at from andon_claim_log where queue >= $1 and queue <= $1 and claimed > 0 order by queue desc, id desc limit coalesce($6::int, 0)
) t where t.at > $7::bigint - $8::bigint)))
  for update skip locked
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, pos, share, stage, $9, fence, $7::bigint from claimed
),
sums as materialized (
  select 0 as done, null as finished,
    0 as admitted,
    p.claimed, p.started
  from (select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $7::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $9, $7::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, null::bigint as accepted, null::text as which) h
union all select c.*, null, null, null, null from claimed c;

-- hot-claimshares (PostgreSQL)
with 
cord as materialized (
  select pg_advisory_xact_lock_shared(5017261, hashtext($1))
),
gate as materialized (
  select q.state, q.epoch from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for share
),

at_work_in_shares as materialized (
  select coalesce(jsonb_object_agg(r.share, r.jobs), '{}') as jobs from (
    select share, count(*) as jobs from andon_running where queue = $1 and share is not null group by share
  ) r
),
ring as materialized (
  with recursive ring(share, first, at, roomy) as (
    select t.share, t.share, 1, (least($2::int, $3::int - coalesce(((select jobs from at_work_in_shares) ->> t.share)::int, 0)) > 0)::int from (select coalesce((
      select r.share from andon_ready r where r.queue = $1 and r.share > coalesce($4::jsonb ->> '', '') order by r.share limit 1
    ), (
      select r.share from andon_ready r where r.queue = $1 and r.share is not null order by r.share limit 1
    )) as share) t where t.share is not null
    union all
    select t.share, s.first, s.at + 1, s.roomy + (least($2::int, $3::int - coalesce(((select jobs from at_work_in_shares) ->> t.share)::int, 0)) > 0)::int
    from ring s cross join lateral (select coalesce((
      select r.share from andon_ready r where r.queue = $1 and r.share > s.share order by r.share limit 1
    ), (
      select r.share from andon_ready r where r.queue = $1 and r.share is not null order by r.share limit 1
    )) as share) t
    where s.roomy < 100 and t.share <> s.first
  )
  select '' as stage, share, at, roomy from ring
),
picked as materialized (
  select f.ctid, f.rank, f.pos
  from (
  select c.ctid, c.rank, c.pos, coalesce(((select jobs from at_work_in_shares) ->> c.share)::int, 0) + row_number() over (partition by c.share order by c.rank, c.pos) as turn
  from (
    select l.ctid, l.rank, l.pos, s.share from ring s cross join lateral (
      select r.ctid, r.rank, r.pos from andon_ready r
      where r.queue = $1 and r.share = s.share
      order by r.rank, r.pos
      limit greatest(0, least($2::int, $3::int - coalesce(((select jobs from at_work_in_shares) ->> s.share)::int, 0), greatest(1, 4 * $2::int / (select count(*)::int from ring))))
    ) l
    union
    select r.ctid, r.rank, r.pos, r.share from (
      select r.ctid, r.rank, r.pos, r.share from andon_ready r
      where r.queue = $1 order by r.rank, r.pos limit case when (select max(s.roomy) from ring s) < 100 then 0 else greatest(500, $2::int) end
    ) r where r.share is not null
  ) c
  union all
  select n.ctid, n.rank, n.pos, 0 from (
    select r.ctid, r.rank, r.pos, r.share from andon_ready r where r.queue = $1 order by r.rank, r.pos limit $2::int
  ) n where n.share is null
  ) f
  where (select state from gate) = 'open' and f.turn <= coalesce($3::int, 2147483647)
  order by f.turn, f.rank, f.pos
  limit greatest(0, least($2::int,
    case when $5::int is not null then $5::int - (select count(*)::int from andon_running where queue = $1) end,
    $6::int - (select coalesce(sum(t.claimed), 0)::int from (
  select claimed, at from andon_claim_log where queue >= $1 and queue <= $1 and claimed > 0 order by queue desc, id desc limit coalesce($6::int, 0)
) t where t.at > $7::bigint - $8::bigint)))
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, pos, share, stage, $9, fence, $7::bigint from claimed
),
sums as materialized (
  select 0 as done, null as finished,
    0 as admitted,
    p.claimed, p.started
  from (select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $7::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $9, $7::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, null::bigint as accepted, null::text as which, (
  select jsonb_object_agg(e.stage, e.share)::text from (
    select distinct on (stage) stage, share from ring order by stage, at desc
  ) e
) as shares_after) h
union all select c.*, null, null, null, null, null from claimed c;

-- hot-claimstages (PostgreSQL)
with 
cord as materialized (
  select pg_advisory_xact_lock_shared(5017261, hashtext($1))
),
gate as materialized (
  select q.state, q.epoch from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for share
),

at_work as materialized (
  select r.stage, count(*)::int as jobs from andon_running r where r.queue = $1 group by r.stage
),
stages as materialized (
  with recursive s(stage) as (
    (select r.stage from andon_ready r where r.queue = $1 and r.stage is not null order by r.stage limit 1)
    union all
    select (
      select r.stage from andon_ready r where r.queue = $1 and r.stage > s.stage order by r.stage limit 1
    ) from s where s.stage is not null
  )
  select s.stage, least($2::int, case when $3::jsonb = '{}' then $2::int else coalesce(($3::jsonb ->> s.stage)::int, 1) - coalesce((
    select w.jobs from at_work w where w.stage = s.stage
  ), 0) end) as free
  from s where s.stage is not null
),
picked as materialized (
  select f.ctid, f.rank, f.pos from (
  select l.ctid, l.rank, l.pos from stages s cross join lateral (
    select r.ctid, r.rank, r.pos from andon_ready r
    where r.queue = $1 and r.stage = s.stage
    order by r.rank, r.pos
    limit greatest(0, s.free)
  ) l
  union all
  select n.ctid, n.rank, n.pos from (
    select r.ctid, r.rank, r.pos, r.stage from andon_ready r where r.queue = $1 order by r.rank, r.pos limit $2::int
  ) n where n.stage is null
  ) f
  where (select state from gate) = 'open'
  order by f.rank, f.pos
  limit greatest(0, least($2::int,
    case when $4::int is not null then $4::int - (select count(*)::int from andon_running where queue = $1) end,
    $5::int - (select coalesce(sum(t.claimed), 0)::int from (
  select claimed, at from andon_claim_log where queue >= $1 and queue <= $1 and claimed > 0 order by queue desc, id desc limit coalesce($5::int, 0)
) t where t.at > $6::bigint - $7::bigint)))
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, pos, share, stage, $8, fence, $6::bigint from claimed
),
sums as materialized (
  select 0 as done, null as finished,
    0 as admitted,
    p.claimed, p.started
  from (select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $6::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $8, $6::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, null::bigint as accepted, null::text as which) h
union all select c.*, null, null, null, null from claimed c;

-- hot-claimstageshares (PostgreSQL)
with 
cord as materialized (
  select pg_advisory_xact_lock_shared(5017261, hashtext($1))
),
gate as materialized (
  select q.state, q.epoch from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for share
),

at_work as materialized (
  select r.stage, count(*)::int as jobs from andon_running r where r.queue = $1 group by r.stage
),
stages as materialized (
  with recursive s(stage) as (
    (select r.stage from andon_ready r where r.queue = $1 and r.stage is not null order by r.stage limit 1)
    union all
    select (
      select r.stage from andon_ready r where r.queue = $1 and r.stage > s.stage order by r.stage limit 1
    ) from s where s.stage is not null
  )
  select s.stage, least($2::int, case when $3::jsonb = '{}' then $2::int else coalesce(($3::jsonb ->> s.stage)::int, 1) - coalesce((
    select w.jobs from at_work w where w.stage = s.stage
  ), 0) end) as free
  from s where s.stage is not null
),
at_work_in_shares as materialized (
  select coalesce(jsonb_object_agg(r.share, r.jobs), '{}') as jobs from (
    select share, count(*) as jobs from andon_running where queue = $1 and share is not null group by share
  ) r
),
ring as materialized (
  with recursive ring(stage, share, first, at, roomy) as (
    select t.stage, t.share, t.share, 1, (least($2::int, $4::int - coalesce(((select jobs from at_work_in_shares) ->> t.share)::int, 0)) > 0)::int from (
      select s.stage, coalesce((
      select r.share from andon_ready r where r.queue = $1 and r.stage = s.stage and r.share > coalesce($5::jsonb ->> s.stage, '') order by r.share limit 1
    ), (
      select r.share from andon_ready r where r.queue = $1 and r.stage = s.stage and r.share is not null order by r.share limit 1
    )) as share from stages s where s.free > 0
    ) t where t.share is not null
    union all
    select s.stage, t.share, s.first, s.at + 1, s.roomy + (least($2::int, $4::int - coalesce(((select jobs from at_work_in_shares) ->> t.share)::int, 0)) > 0)::int
    from ring s cross join lateral (select coalesce((
      select r.share from andon_ready r where r.queue = $1 and r.stage = s.stage and r.share > s.share order by r.share limit 1
    ), (
      select r.share from andon_ready r where r.queue = $1 and r.stage = s.stage and r.share is not null order by r.share limit 1
    )) as share) t
    where s.roomy < 100 and t.share <> s.first
  )
  select stage, share, at, roomy from ring
),
in_shares as materialized (
  select c.*, coalesce(((select jobs from at_work_in_shares) ->> c.share)::int, 0) + row_number() over (partition by c.share order by c.rank, c.pos) as turn from (
    select l.ctid, l.rank, l.pos, s.stage, s.share from ring s join stages g on g.stage = s.stage cross join lateral (
      select r.ctid, r.rank, r.pos from andon_ready r
      where r.queue = $1 and r.stage = s.stage and r.share = s.share
      order by r.rank, r.pos
      limit greatest(0, least(g.free, $4::int - coalesce(((select jobs from at_work_in_shares) ->> s.share)::int, 0), greatest(1, 4 * $2::int / (select count(*)::int from ring))))
    ) l
    union
    select l.ctid, l.rank, l.pos, g.stage, l.share from stages g cross join lateral (
      select r.ctid, r.rank, r.pos, r.share from andon_ready r
      where r.queue = $1 and r.stage = g.stage
      order by r.rank, r.pos
      limit case when g.free > 0 then case when (select max(s.roomy) from ring s where s.stage = g.stage) < 100 then 0 else greatest(500, $2::int) end else 0 end
    ) l where l.share is not null
  ) c
),
in_places as materialized (
  select i.*, row_number() over (partition by i.stage order by i.turn, i.rank, i.pos) as place
  from in_shares i where i.turn <= coalesce($4::int, 2147483647)
),
picked as materialized (
  select f.ctid, f.rank, f.pos from (
  select p.ctid, p.rank, p.pos, p.turn from in_places p join stages g on g.stage = p.stage where p.place <= g.free
  union all
  select w.ctid, w.rank, w.pos, 0 from (
  select n.ctid, n.rank, n.pos from (
    select r.ctid, r.rank, r.pos, r.stage from andon_ready r where r.queue = $1 order by r.rank, r.pos limit $2::int
  ) n where n.stage is null
  ) w
  ) f
  where (select state from gate) = 'open'
  order by f.turn, f.rank, f.pos
  limit greatest(0, least($2::int,
    case when $6::int is not null then $6::int - (select count(*)::int from andon_running where queue = $1) end,
    $7::int - (select coalesce(sum(t.claimed), 0)::int from (
  select claimed, at from andon_claim_log where queue >= $1 and queue <= $1 and claimed > 0 order by queue desc, id desc limit coalesce($7::int, 0)
) t where t.at > $8::bigint - $9::bigint)))
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, pos, share, stage, $10, fence, $8::bigint from claimed
),
sums as materialized (
  select 0 as done, null as finished,
    0 as admitted,
    p.claimed, p.started
  from (select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $8::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $10, $8::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, null::bigint as accepted, null::text as which, (
  select jsonb_object_agg(e.stage, e.share)::text from (
    select distinct on (stage) stage, share from ring order by stage, at desc
  ) e
) as shares_after) h
union all select c.*, null, null, null, null, null from claimed c;

-- hot-enqueue-job (SQLite)
insert into andon_jobs
  (pos, id, queue, name, tenant, lane_keys, seq, rank, payload, waits, run_at, created_at, trace_id, share, organization, stages, stage)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17);

-- hot-enqueue-jobs_alike (SQLite)
insert into andon_jobs (pos, queue, name, tenant, created_at, trace_id, share, organization, rank, id, payload)
select ?1 + e.key, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, substr(e.value, 1, 36), substr(e.value, 36 + 1) from json_each(?10) e;

-- hot-enqueue-lane (SQLite)
select next_seq, head_seq, held_at from andon_lanes where queue = ?1 and lane_key = ?2;

-- hot-enqueue-lane_job (SQLite)
insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes) values (?1, ?2, ?3, ?4, ?5);

-- hot-enqueue-last_number (SQLite)
select last from andon_job_numbers;

-- hot-enqueue-left_lane (SQLite)
update andon_lanes set gone = gone + 1 where queue = ?1 and lane_key = ?2;

-- hot-enqueue-longer_lane (SQLite)
update andon_lanes set next_seq = ?3, head_seq = ?4, depth = depth + 1
where queue = ?1 and lane_key = ?2;

-- hot-enqueue-new_lane (SQLite)
insert into andon_lanes (queue, lane_key, next_seq, head_seq, depth) values (?1, ?2, 1, 1, 1);

-- hot-enqueue-ready (SQLite)
insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, share, stage from andon_jobs where pos between ?1 and ?2 and lane_keys is null and run_at is null;

-- hot-enqueue-ready_one (SQLite)
insert into andon_ready (queue, rank, pos, share, stage) values (?1, ?2, ?3, ?4, ?5);

-- hot-enqueue-set_last_number (SQLite)
update andon_job_numbers set last = ?1;

-- hot-enqueue-set_place (SQLite)
update andon_jobs set waits = ?2, seq = ?3 where pos = ?1;

-- hot-enqueue-tally (SQLite)
insert into andon_tallies (queue, ready, blocked, scheduled, at, added) values (?1, ?2, ?3, ?4, ?5, ?6);

-- hot-enqueue-timer (SQLite)
insert into andon_timers (pos, queue, due_at, kind) values (?1, ?2, ?3, 'later');

-- hot-existinglanes (PostgreSQL)
select lane_key from andon_lanes where queue = $1 and lane_key = any($2::text[]);

-- hot-finish (PostgreSQL)
with 
ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = case when $3::jsonb is null then $4::int else coalesce(($3::jsonb ->> r.pos::text)::int, $4::int) end
    and r.worker = $5 and r.cancel_actor is null
  returning r.pos
),
saved as (
  update andon_jobs j
  set state = 'done', fence = j.fence + 1, stalled = 0, worker = $5,
    started_at = case when $6::jsonb is null then $7::bigint else coalesce(($6::jsonb ->> j.pos::text)::bigint, $7::bigint) end,
    finished_at = $8::bigint, result = case when $9::jsonb is null then null else $9::jsonb ->> j.pos::text end,
    progress = case when $10::jsonb is null then j.progress else coalesce($10::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
),
sums as materialized (
  select e.done, e.finished,
    0 as admitted,
    0 as claimed, null as started
  from (select count(*) as done, string_agg(pos::text, ',') as finished from ended) e
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $8::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, null::bigint, $5, $8::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select (select done from sums) as accepted,
  (select finished from sums where done < cardinality($2::bigint[])) as which;

-- hot-finishandclaim (PostgreSQL)
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
    and r.fence = case when $3::jsonb is null then $4::int else coalesce(($3::jsonb ->> r.pos::text)::int, $4::int) end
    and r.worker = $5 and r.cancel_actor is null and (select count(*) from gate) = 1
  returning r.pos
),
saved as (
  update andon_jobs j
  set state = 'done', fence = j.fence + 1, stalled = 0, worker = $5,
    started_at = case when $6::jsonb is null then $7::bigint else coalesce(($6::jsonb ->> j.pos::text)::bigint, $7::bigint) end,
    finished_at = $8::bigint, result = case when $9::jsonb is null then null else $9::jsonb ->> j.pos::text end,
    progress = case when $10::jsonb is null then j.progress else coalesce($10::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
),

picked as materialized (
  select r.ctid, r.rank, r.pos
  from andon_ready r
  where (r.queue, r.rank, r.pos) >= ($1::text, $11::int, $12::bigint)
    and (r.queue, r.rank, r.pos) <= ($1::text, 2147483647, 9223372036854775807)
    and (select state from gate) = 'open'
  order by r.queue, r.rank, r.pos
  limit $13::int
  for update skip locked
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, pos, share, stage, $5, fence, $8::bigint from claimed
),
sums as materialized (
  select e.done, e.finished,
    0 as admitted,
    p.claimed, p.started
  from (select count(*) as done, string_agg(pos::text, ',') as finished from ended) e, (select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $8::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $5, $8::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, (select done from sums) as accepted,
  (select finished from sums where done < cardinality($2::bigint[])) as which) h
union all select c.*, null, null, null, null from claimed c;

-- hot-finishandlock (PostgreSQL)
with 
cord as materialized (select pg_advisory_xact_lock(5017261, hashtext($1))),
queue as materialized (
  select q.state from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for update
),
ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = case when $3::jsonb is null then $4::int else coalesce(($3::jsonb ->> r.pos::text)::int, $4::int) end
    and r.worker = $5 and r.cancel_actor is null and (select count(*) from queue) = 1
  returning r.pos
),
saved as (
  update andon_jobs j
  set state = 'done', fence = j.fence + 1, stalled = 0, worker = $5,
    started_at = case when $6::jsonb is null then $7::bigint else coalesce(($6::jsonb ->> j.pos::text)::bigint, $7::bigint) end,
    finished_at = $8::bigint, result = case when $9::jsonb is null then null else $9::jsonb ->> j.pos::text end,
    progress = case when $10::jsonb is null then j.progress else coalesce($10::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
),
sums as materialized (
  select e.done, e.finished,
    0 as admitted,
    0 as claimed, null as started
  from (select count(*) as done, string_agg(pos::text, ',') as finished from ended) e
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $8::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, null::bigint, $5, $8::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select (select done from sums) as accepted,
  (select finished from sums where done < cardinality($2::bigint[])) as which;

-- hot-finishandreplace (PostgreSQL)
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
    and r.fence = case when $3::jsonb is null then $4::int else coalesce(($3::jsonb ->> r.pos::text)::int, $4::int) end
    and r.worker = $5 and r.cancel_actor is null and (select count(*) from gate) = 1
  returning r.pos
),
saved as (
  update andon_jobs j
  set state = 'done', fence = j.fence + 1, stalled = 0, worker = $5,
    started_at = case when $6::jsonb is null then $7::bigint else coalesce(($6::jsonb ->> j.pos::text)::bigint, $7::bigint) end,
    finished_at = $8::bigint, result = case when $9::jsonb is null then null else $9::jsonb ->> j.pos::text end,
    progress = case when $10::jsonb is null then j.progress else coalesce($10::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
),

picked as materialized (
  select r.ctid, r.rank, r.pos
  from andon_ready r
  where (r.queue, r.rank, r.pos) >= ($1::text, $11::int, $12::bigint)
    and (r.queue, r.rank, r.pos) <= ($1::text, 2147483647, 9223372036854775807)
    and (select state from gate) = 'open'
  order by r.queue, r.rank, r.pos
  limit least($13::int, (select count(*)::int from ended))
  for update skip locked
),
taken as (
  delete from andon_ready where ctid = any(array(select ctid from picked)) returning rank, pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = any(array(select pos from taken))
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, pos, share, stage, $5, fence, $8::bigint from claimed
),
sums as materialized (
  select e.done, e.finished,
    0 as admitted,
    p.claimed, p.started
  from (select count(*) as done, string_agg(pos::text, ',') as finished from ended) e, (select count(*) as claimed, string_agg(pos::text, ',' order by rank, pos) as started from taken) p
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $8::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $5, $8::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, (select done from sums) as accepted,
  (select finished from sums where done < cardinality($2::bigint[])) as which) h
union all select c.*, null, null, null, null from claimed c;

-- hot-finishinlanes (PostgreSQL)
with 
ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = case when $3::jsonb is null then $4::int else coalesce(($3::jsonb ->> r.pos::text)::int, $4::int) end
    and r.worker = $5 and r.cancel_actor is null and r.pos <> all(array(select unnest(string_to_array(coalesce(current_setting('andon.busy', true), ''), ','))::bigint))
  returning r.pos
),
saved as (
  update andon_jobs j
  set state = 'done', fence = j.fence + 1, stalled = 0, worker = $5,
    started_at = case when $6::jsonb is null then $7::bigint else coalesce(($6::jsonb ->> j.pos::text)::bigint, $7::bigint) end,
    finished_at = $8::bigint, result = case when $9::jsonb is null then null else $9::jsonb ->> j.pos::text end,
    progress = case when $10::jsonb is null then j.progress else coalesce($10::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
),
freed as (
  delete from andon_lane_jobs m
  where m.pos = any(array(select pos from ended))
  returning m.lane_key, m.seq
),
left_lanes as materialized (
  select l.ctid, l.lane_key, l.held_at from andon_lanes l where l.queue = $1 and l.lane_key = any(array(select lane_key from freed))
),
heads as materialized (
  select f.lane_key, n.seq, n.pos, n.lanes
  from freed f cross join lateral (
    select n.seq, n.pos, n.lanes from andon_lane_jobs n
    where n.queue = $1 and n.lane_key = f.lane_key and n.seq > f.seq
    order by n.seq limit 1
  ) n
  where f.lane_key <> all(array(select lane_key from left_lanes where held_at is not null))
),
advanced as (
  update andon_lanes l
  set depth = l.depth - 1,
    head_seq = coalesce(((select jsonb_object_agg(lane_key, seq) from heads) ->> l.lane_key)::bigint, 0)
  where l.ctid = any(array(select ctid from left_lanes))
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
  insert into andon_ready (queue, rank, pos, share, stage)
  select $1, j.rank, j.pos, j.share, j.stage from andon_jobs j where j.pos = any(array(select pos from admitted))
),
sums as materialized (
  select e.done, e.finished,
    (select count(*) from admitted) as admitted,
    0 as claimed, null as started
  from (select count(*) as done, string_agg(pos::text, ',') as finished from ended) e
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $8::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, null::bigint, $5, $8::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select (select done from sums) as accepted,
  (select finished from sums where done < cardinality($2::bigint[])) as which, nullif(coalesce(current_setting('andon.busy', true), ''), '') as busy;

-- hot-finishinlockedlanes (PostgreSQL)
with 
ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = any($2::bigint[])
    and r.fence = case when $3::jsonb is null then $4::int else coalesce(($3::jsonb ->> r.pos::text)::int, $4::int) end
    and r.worker = $5 and r.cancel_actor is null and r.pos <> all(array(select unnest(string_to_array(coalesce(current_setting('andon.busy', true), ''), ','))::bigint))
  returning r.pos
),
saved as (
  update andon_jobs j
  set state = 'done', fence = j.fence + 1, stalled = 0, worker = $5,
    started_at = case when $6::jsonb is null then $7::bigint else coalesce(($6::jsonb ->> j.pos::text)::bigint, $7::bigint) end,
    finished_at = $8::bigint, result = case when $9::jsonb is null then null else $9::jsonb ->> j.pos::text end,
    progress = case when $10::jsonb is null then j.progress else coalesce($10::jsonb ->> j.pos::text, j.progress) end,
    error_code = null, error_message = null, fingerprint = null
  where j.pos = any(array(select pos from ended))
),
freed as (
  delete from andon_lane_jobs m
  where m.pos = any(array(select pos from ended))
  returning m.lane_key, m.seq
),
left_lanes as materialized (
  select l.ctid, l.lane_key, l.held_at from andon_lanes l where l.ctid = any(string_to_array(nullif(current_setting('andon.lanes', true), ''), ' ')::tid[]) and (
    (select count(*) from ended) = cardinality($2::bigint[])
    or jsonb_exists((select jsonb_object_agg(lane_key, true) from freed), l.lane_key)
  )
),
heads as materialized (
  select f.lane_key, n.seq, n.pos, n.lanes
  from freed f cross join lateral (
    select n.seq, n.pos, n.lanes from andon_lane_jobs n
    where n.queue = $1 and n.lane_key = f.lane_key and n.seq > f.seq
    order by n.seq limit 1
  ) n
  where f.lane_key <> all(array(select lane_key from left_lanes where held_at is not null))
),
advanced as (
  update andon_lanes l
  set depth = l.depth - 1,
    head_seq = coalesce(((select jsonb_object_agg(lane_key, seq) from heads) ->> l.lane_key)::bigint, 0)
  where l.ctid = any(array(select ctid from left_lanes))
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
  insert into andon_ready (queue, rank, pos, share, stage)
  select $1, j.rank, j.pos, j.share, j.stage from andon_jobs j where j.pos = any(array(select pos from admitted))
),
sums as materialized (
  select e.done, e.finished,
    (select count(*) from admitted) as admitted,
    0 as claimed, null as started
  from (select count(*) as done, string_agg(pos::text, ',') as finished from ended) e
),
counted as (
  insert into andon_tallies (queue, at, blocked, ready, running, done)
  select $1, $8::bigint, -admitted, admitted - claimed, claimed - done, done from sums where done + claimed > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, null::bigint, $5, $8::bigint, claimed, done,
    started, finished
  from sums where done + claimed > 0
)
select (select done from sums) as accepted,
  (select finished from sums where done < cardinality($2::bigint[])) as which, nullif(coalesce(current_setting('andon.busy', true), ''), '') as busy;

-- hot-joinlanes (PostgreSQL)
with lane_input as materialized (
  select t.*,
    row_number() over (partition by t.lane_key order by t.idx) as nth,
    count(*) over (partition by t.lane_key) as total
  from unnest($1::bigint[], $2::text[], $3::int[], $4::int[], $5::int[]) with ordinality
    as t(pos, lane_key, is_first, lanes, has_left, idx)
),
laned as (
  insert into andon_lanes as l (queue, lane_key, next_seq, head_seq, depth, gone)
  select $6, lane_key, count(*), 1, count(*), sum(has_left) from lane_input group by lane_key order by lane_key collate "C"
  on conflict (queue, lane_key) do update set
    next_seq = l.next_seq + excluded.next_seq,
    depth = l.depth + excluded.depth,
    gone = l.gone + excluded.gone,
    head_seq = case when l.head_seq = 0 and l.held_at is null then l.next_seq + 1 else l.head_seq end
  returning l.lane_key, l.next_seq, l.head_seq
),
placed as materialized (
  select i.pos, i.lane_key, i.is_first, i.lanes, d.next_seq - i.total + i.nth as seq, d.head_seq
  from lane_input i join laned d on d.lane_key = i.lane_key
),
joined as (
  insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes) select $6, lane_key, seq, pos, lanes from placed
),
waiting as materialized (
  select pos, count(*) filter (where seq <> head_seq and lanes > 1) as waits, max(seq) filter (where is_first = 1) as seq
  from placed group by pos
)
update andon_jobs j
set waits = ((select jsonb_object_agg(pos, waits) from waiting) ->> j.pos::text)::int,
  seq = ((select jsonb_object_agg(pos, seq) from waiting) ->> j.pos::text)::bigint
where j.pos = any(array(select pos from waiting));

-- hot-keyed (PostgreSQL)
with lock_timeout as materialized (
  select set_config('lock_timeout', coalesce($1, current_setting('lock_timeout')), true)
),
input as materialized (
  select t.*, nextval('andon_job_numbers') as pos
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[],
    $8::bigint[], $9::text[], $10::text[], $11::text[]) with ordinality
    as t(id, name, tenant, lane_keys, rank, payload, run_at, trace_id, share, organization, idx)
),
lane_input as materialized (
  select t.idx, t.lane_key, t.is_first,
    row_number() over (partition by t.lane_key order by t.idx) as nth,
    count(*) over (partition by t.lane_key) as total
  from unnest($12::bigint[], $13::text[], $14::int[]) as t(idx, lane_key, is_first)
),
laned as (
  insert into andon_lanes as l (queue, lane_key, next_seq, head_seq, depth)
  select $15, lane_key, count(*), 1, count(*) from lane_input where (select count(*) from lock_timeout) = 1
  group by lane_key order by lane_key collate "C"
  on conflict (queue, lane_key) do update set
    next_seq = l.next_seq + excluded.next_seq,
    depth = l.depth + excluded.depth,
    head_seq = case when l.head_seq = 0 and l.held_at is null then l.next_seq + 1 else l.head_seq end
  returning l.lane_key, l.next_seq, l.head_seq
),
placed as materialized (
  select i.idx, i.lane_key, i.is_first, d.next_seq - i.total + i.nth as seq, d.head_seq
  from lane_input i join laned d on d.lane_key = i.lane_key
),
waiting as materialized (
  select idx, count(*) filter (where seq <> head_seq) as waits, max(seq) filter (where is_first = 1) as seq, count(*) as lanes
  from placed group by idx
),
lined_up as materialized (
  select i.*, coalesce(w.waits, 0) as waits, w.seq, coalesce(w.lanes, 0) as lanes from input i left join waiting w on w.idx = i.idx
),
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, organization, share, lane_keys, seq, rank, payload, waits, run_at, created_at, trace_id)
  select pos, id, $15, name, tenant, organization, share, lane_keys, seq, rank, payload, case when lanes > 1 then waits else 0 end, run_at, $16::bigint, trace_id
  from lined_up
),
joined as (
  insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes)
  select $15, p.lane_key, p.seq, i.pos, i.lanes from placed p join lined_up i on i.idx = p.idx
),
lined as (
  insert into andon_ready (queue, rank, pos, share) select $15, rank, pos, share from lined_up where run_at is null and waits = 0
),
timed as (
  insert into andon_timers (pos, queue, due_at, kind)
  select pos, $15, run_at, 'later' from input where run_at is not null
),
counted as (
  insert into andon_tallies (queue, at, added, ready, blocked, scheduled)
  select $15, $16::bigint, count(*), count(*) filter (where run_at is null and waits = 0), count(*) filter (where waits > 0),
    count(*) filter (where run_at is not null)
  from lined_up
)
select pos, seq from lined_up order by idx;

-- hot-keyedstaged (PostgreSQL)
with lock_timeout as materialized (
  select set_config('lock_timeout', coalesce($1, current_setting('lock_timeout')), true)
),
input as materialized (
  select t.*, nextval('andon_job_numbers') as pos
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[],
    $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[]) with ordinality
    as t(id, name, tenant, lane_keys, rank, payload, run_at, trace_id, share, organization, stages, stage, idx)
),
lane_input as materialized (
  select t.idx, t.lane_key, t.is_first,
    row_number() over (partition by t.lane_key order by t.idx) as nth,
    count(*) over (partition by t.lane_key) as total
  from unnest($14::bigint[], $15::text[], $16::int[]) as t(idx, lane_key, is_first)
),
laned as (
  insert into andon_lanes as l (queue, lane_key, next_seq, head_seq, depth)
  select $17, lane_key, count(*), 1, count(*) from lane_input where (select count(*) from lock_timeout) = 1
  group by lane_key order by lane_key collate "C"
  on conflict (queue, lane_key) do update set
    next_seq = l.next_seq + excluded.next_seq,
    depth = l.depth + excluded.depth,
    head_seq = case when l.head_seq = 0 and l.held_at is null then l.next_seq + 1 else l.head_seq end
  returning l.lane_key, l.next_seq, l.head_seq
),
placed as materialized (
  select i.idx, i.lane_key, i.is_first, d.next_seq - i.total + i.nth as seq, d.head_seq
  from lane_input i join laned d on d.lane_key = i.lane_key
),
waiting as materialized (
  select idx, count(*) filter (where seq <> head_seq) as waits, max(seq) filter (where is_first = 1) as seq, count(*) as lanes
  from placed group by idx
),
lined_up as materialized (
  select i.*, coalesce(w.waits, 0) as waits, w.seq, coalesce(w.lanes, 0) as lanes from input i left join waiting w on w.idx = i.idx
),
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, organization, share, lane_keys, seq, rank, payload, waits, run_at, created_at, trace_id, stages, stage)
  select pos, id, $17, name, tenant, organization, share, lane_keys, seq, rank, payload, case when lanes > 1 then waits else 0 end, run_at, $18::bigint, trace_id, stages, stage
  from lined_up
),
joined as (
  insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes)
  select $17, p.lane_key, p.seq, i.pos, i.lanes from placed p join lined_up i on i.idx = p.idx
),
lined as (
  insert into andon_ready (queue, rank, pos, share, stage) select $17, rank, pos, share, stage from lined_up where run_at is null and waits = 0
),
timed as (
  insert into andon_timers (pos, queue, due_at, kind)
  select pos, $17, run_at, 'later' from input where run_at is not null
),
counted as (
  insert into andon_tallies (queue, at, added, ready, blocked, scheduled)
  select $17, $18::bigint, count(*), count(*) filter (where run_at is null and waits = 0), count(*) filter (where waits > 0),
    count(*) filter (where run_at is not null)
  from lined_up
)
select pos, seq from lined_up order by idx;

-- hot-limitwait (PostgreSQL)
select set_config('lock_timeout', '100', true);

-- hot-lockfreelanes (PostgreSQL)
select lane_key from andon_lanes where queue = $1 and lane_key = any($2::text[])
order by lane_key || '' for update skip locked;

-- hot-locklanesexclusive (PostgreSQL)
with 
cord as materialized (select pg_advisory_xact_lock(5017261, hashtext($1))),
queue as materialized (
  select q.state from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for update
),
locked as materialized (
  select l.ctid, l.lane_key from andon_lanes l
  where l.queue = $1 and l.lane_key = any($2::text[]) and (select count(*) from queue) = 1
  for update skip locked
)
select set_config('andon.lanes', (select coalesce(string_agg(ctid::text, ' '), '') from locked), true),
  set_config('andon.busy', case when (select count(*) from locked) = cardinality($2::text[]) then '' else (
  select string_agg(distinct k.pos::text, ',') from unnest($3::bigint[], coalesce($4::text[], $2::text[])) as k(pos, lane_key)
  where k.lane_key <> all(array(select lane_key from locked))
) end, true);

-- hot-locklanesshare (PostgreSQL)
with 
cord as materialized (select pg_advisory_xact_lock_shared(5017261, hashtext($1))),
queue as materialized (
  select q.state from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for share
),
locked as materialized (
  select l.ctid, l.lane_key from andon_lanes l
  where l.queue = $1 and l.lane_key = any($2::text[]) and (select count(*) from queue) = 1
  for update skip locked
)
select set_config('andon.lanes', (select coalesce(string_agg(ctid::text, ' '), '') from locked), true),
  set_config('andon.busy', case when (select count(*) from locked) = cardinality($2::text[]) then '' else (
  select string_agg(distinct k.pos::text, ',') from unnest($3::bigint[], coalesce($4::text[], $2::text[])) as k(pos, lane_key)
  where k.lane_key <> all(array(select lane_key from locked))
) end, true);

-- hot-makelanes (PostgreSQL)
insert into andon_lanes (queue, lane_key)
select $1, k.lane_key from unnest($2::text[]) as k(lane_key) order by k.lane_key collate "C"
on conflict do nothing returning lane_key;

-- hot-plain (PostgreSQL)
with 
input as materialized (
  select t.*, nextval('andon_job_numbers') as pos
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[],
    $7::bigint[], $8::text[], $9::text[], $10::text[]) with ordinality
    as t(id, name, tenant, lane_keys, rank, payload, run_at, trace_id, share, organization, idx)
),
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, organization, share, rank, payload, run_at, created_at, trace_id)
  select pos, id, $11, name, tenant, organization, share, rank, payload, run_at, $12::bigint, trace_id from input
),
lined as (
  insert into andon_ready (queue, rank, pos, share)
  select $11, rank, pos, share from input where run_at is null
),
timed as (
  insert into andon_timers (pos, queue, due_at, kind)
  select pos, $11, run_at, 'later' from input where run_at is not null
),
counted as (
  insert into andon_tallies (queue, at, added, ready, scheduled)
  select $11, $12::bigint, count(*), count(*) filter (where run_at is null), count(*) filter (where run_at is not null) from input
)
select pos, null::bigint as seq from input where lane_keys is null order by idx;

-- hot-plainstaged (PostgreSQL)
with 
input as materialized (
  select t.*, nextval('andon_job_numbers') as pos
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[],
    $7::bigint[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[]) with ordinality
    as t(id, name, tenant, lane_keys, rank, payload, run_at, trace_id, share, organization, stages, stage, idx)
),
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, organization, share, rank, payload, run_at, created_at, trace_id, stages, stage)
  select pos, id, $13, name, tenant, organization, share, rank, payload, run_at, $14::bigint, trace_id, stages, stage from input
),
lined as (
  insert into andon_ready (queue, rank, pos, share, stage)
  select $13, rank, pos, share, stage from input where run_at is null
),
timed as (
  insert into andon_timers (pos, queue, due_at, kind)
  select pos, $13, run_at, 'later' from input where run_at is not null
),
counted as (
  insert into andon_tallies (queue, at, added, ready, scheduled)
  select $13, $14::bigint, count(*), count(*) filter (where run_at is null), count(*) filter (where run_at is not null) from input
)
select pos, null::bigint as seq from input where lane_keys is null order by idx;

-- hot-progress-save (SQLite)
update andon_jobs set progress = ?4 where pos = ?2 and exists (
  select 1 from andon_running where queue = ?1 and pos = ?2 and fence = ?3
);

-- hot-progress-tell (SQLite)
insert into andon_events (type, at, queue, job_id, tenant, organization, data)
select 'job.progress', ?2, queue, id, tenant, organization, '{"progress":' || progress || '}' from andon_jobs where pos = ?1;

-- hot-rateallows (PostgreSQL)
select min(t.at) + $1::bigint as at from (
  select claimed, at from andon_claim_log where queue >= $2 and queue <= $2 and claimed > 0 order by queue desc, id desc limit coalesce($3::int, 0)
) t where t.at > $4::bigint - $1::bigint;

-- hot-ratesetback (PostgreSQL)
update andon_claim_log set at = $1::bigint where queue = $2 and id = any(array(
  select t.id from (
    select id, at from andon_claim_log where queue >= $2 and queue <= $2 and claimed > 0 order by queue desc, id desc limit $3::int
  ) t where t.at > $1::bigint + $4::bigint
));

-- hot-replaceone (PostgreSQL)
with 
cord as materialized (
  select pg_advisory_xact_lock_shared(5017261, hashtext($1))
),
gate as materialized (
  select q.state, q.epoch from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for share
),
ended as (
  delete from andon_running r
  where r.queue = $1 and r.pos = $2::bigint and r.fence = $3::int and r.worker = $4 and r.cancel_actor is null
    and (select state from gate) is not null
  returning r.pos
),
saved as (
  update andon_jobs j
  set state = 'done', fence = j.fence + 1, stalled = 0, worker = $4, started_at = $5::bigint, finished_at = $6::bigint,
    result = $7::text, progress = coalesce($8::text, j.progress),
    error_code = null, error_message = null, fingerprint = null
  where j.pos = (select pos from ended)
),
taken as (
  delete from andon_ready where ctid = (
    select r.ctid from andon_ready r
    where (r.queue, r.rank, r.pos) >= ($1::text, $9::int, $10::bigint)
      and (r.queue, r.rank, r.pos) <= ($1::text, 2147483647, 9223372036854775807)
      and (select state from gate) = 'open' and (select pos from ended) is not null
    order by r.queue, r.rank, r.pos
    limit 1
    for update skip locked
  ) returning pos
),
claimed as materialized (
  select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = (select pos from taken)
),
started as (
  insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
  select $1, pos, share, stage, $4, fence, $6::bigint from claimed
),
sums as materialized (
  select e.finished, e.started, (e.finished is not null)::int as done, (e.started is not null)::int as claimed
  from (select (select pos from ended) as finished, (select pos from taken) as started) e
),
counted as (
  insert into andon_tallies (queue, at, ready, running, done)
  select $1, $6::bigint, -claimed, claimed - done, done from sums where done > 0
),
recorded as (
  insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started, finished)
  select $1, (select epoch from gate), $4, $6::bigint, claimed, done, started::text, finished::text from sums where done > 0
)
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, h.*
from (select (select state from gate) as queue_state, (select (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 from (
  select count(*) from sums
) n) as claim_ms, (select done::bigint from sums) as accepted, null::text as which) h
union all select c.*, null, null, null, null from claimed c;

-- hot-saveprogress (PostgreSQL)
with held as materialized (
  select r.pos from unnest($1::text[], $2::bigint[], $3::int[]) as t(queue, pos, fence)
  cross join lateral (
    select r.pos from andon_running r
    where r.queue = t.queue and r.pos = t.pos and r.fence = t.fence
    for key share skip locked
  ) r
)
update andon_jobs j set progress = $4::jsonb ->> j.pos::text
where j.pos = any(array(select pos from held))
returning j.pos;

-- hot-serialturnstile (PostgreSQL)
insert into andon_lanes (queue, lane_key, next_seq) values ($1, '', 1)
on conflict (queue, lane_key) do update set next_seq = andon_lanes.next_seq + 1;

-- hot-single (PostgreSQL)
with input as materialized (select nextval('andon_job_numbers') as pos),
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, organization, share, rank, payload, created_at, trace_id)
  select pos, $1, $2, $3, $4, $5, $6, $7::int, $8, $9::bigint, $10 from input
),
lined as (
  insert into andon_ready (queue, rank, pos, share) select $2, $7::int, pos, $6 from input
),
counted as (
  insert into andon_tallies (queue, at, added, ready) values ($2, $9::bigint, 1, 1)
)
select pos from input;

-- hot-singletold (PostgreSQL)
with input as materialized (select nextval('andon_job_numbers') as pos),
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, organization, share, rank, payload, created_at, trace_id)
  select pos, $1, $2, $3, $4, $5, $6, $7::int, $8, $9::bigint, $10 from input
),
lined as (
  insert into andon_ready (queue, rank, pos, share) select $2, $7::int, pos, $6 from input
),
counted as (
  insert into andon_tallies (queue, at, added, ready) values ($2, $9::bigint, 1, 1)
),
told as materialized (select pg_notify('andon', $11))
select pos, (select count(*) from told) as told from input;

-- hot-tellprogress (PostgreSQL)
insert into andon_events (type, at, queue, job_id, tenant, organization, data)
select 'job.progress', $1::bigint, j.queue, j.id, j.tenant, j.organization, '{"progress":' || j.progress || '}'
from andon_jobs j where j.pos = any($2::bigint[]);

-- hot-waitforlanes (PostgreSQL)
select l.lane_key from andon_lanes l where l.queue = $1 and l.lane_key = any($2::text[])
order by l.lane_key for update;
