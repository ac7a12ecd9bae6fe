with patience as materialized (
  select set_config('lock_timeout', coalesce($1, current_setting('lock_timeout')), true)
),
input as materialized (
  select t.*, nextval('andon_job_numbers') as pos
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[],
    $8::bigint[], $9::text[], $10::text[]) with ordinality
    as t(id, name, tenant, lane_keys, rank, payload, run_at, trace_id, share, idx)
),
lane_input as materialized (
  select t.idx, t.lane_key, t.is_first,
    row_number() over (partition by t.lane_key order by t.idx) as nth,
    count(*) over (partition by t.lane_key) as total
  from unnest($11::bigint[], $12::text[], $13::int[]) as t(idx, lane_key, is_first)
),
laned as (
  insert into andon_lanes as l (queue, lane_key, next_seq, head_seq, depth)
  select $14, lane_key, count(*), 1, count(*) from lane_input where (select count(*) from patience) = 1
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
  insert into andon_jobs (pos, id, queue, name, tenant, share, lane_keys, seq, rank, payload, waits, run_at, created_at, trace_id)
  select pos, id, $14, name, tenant, share, lane_keys, seq, rank, payload, case when lanes > 1 then waits else 0 end, run_at, $15::bigint, trace_id
  from lined_up
),
joined as (
  insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes)
  select $14, p.lane_key, p.seq, i.pos, i.lanes from placed p join lined_up i on i.idx = p.idx
),
lined as (
  insert into andon_ready (queue, rank, pos, share) select $14, rank, pos, share from lined_up where run_at is null and waits = 0
),
timed as (
  insert into andon_timers (pos, queue, due_at, kind)
  select pos, $14, run_at, 'later' from input where run_at is not null
),
counted as (
  insert into andon_tallies (queue, ready, blocked, scheduled)
  select $14, count(*) filter (where run_at is null and waits = 0), count(*) filter (where waits > 0),
    count(*) filter (where run_at is not null)
  from lined_up
)
select pos, seq from lined_up order by idx;
