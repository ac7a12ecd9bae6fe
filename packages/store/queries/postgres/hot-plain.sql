with 
input as materialized (
  select t.*, nextval('andon_job_numbers') as pos
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[],
    $7::bigint[], $8::text[], $9::text[]) with ordinality
    as t(id, name, tenant, lane_keys, rank, payload, run_at, trace_id, share, idx)
),
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, share, rank, payload, run_at, created_at, trace_id)
  select pos, id, $10, name, tenant, share, rank, payload, run_at, $11::bigint, trace_id from input
),
lined as (
  insert into andon_ready (queue, rank, pos, share) select $10, rank, pos, share from input where run_at is null
),
timed as (
  insert into andon_timers (pos, queue, due_at, kind)
  select pos, $10, run_at, 'later' from input where run_at is not null
),
counted as (
  insert into andon_tallies (queue, ready, scheduled)
  select $10, count(*) filter (where run_at is null), count(*) filter (where run_at is not null) from input
)
select pos, null::bigint as seq from input where lane_keys is null order by idx;
