with input as materialized (select nextval('andon_job_numbers') as pos),
stored as (
  insert into andon_jobs (pos, id, queue, name, tenant, share, rank, payload, created_at, trace_id)
  select pos, $1, $2, $3, $4, $5, $6::int, $7, $8::bigint, $9 from input
),
lined as (
  insert into andon_ready (queue, rank, pos, share) select $2, $6::int, pos, $5 from input
),
counted as (
  insert into andon_tallies (queue, ready) values ($2, 1)
)
select pos from input;
