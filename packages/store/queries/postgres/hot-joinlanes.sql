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
