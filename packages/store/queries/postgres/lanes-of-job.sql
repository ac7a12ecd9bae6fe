select l.*,
  (select count(*) from (
    select 1 from andon_lane_jobs a where a.queue = l.queue and a.lane_key = l.lane_key and a.seq < l.seq limit 1000
  ) ahead) as ahead,
  (select b.pos from andon_lane_jobs b where b.queue = l.queue and b.lane_key = l.lane_key order by b.seq limit 1) as head_pos
from (
  select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id,
    (select m.seq from andon_lane_jobs m where m.pos = @pos and m.lane_key || '' = l.lane_key) as seq
  from andon_lanes l
  where l.queue = (select queue from andon_jobs where pos = @pos)
    and l.lane_key = any(array(select lane_key from andon_lane_jobs where pos = @pos))
) l
order by l.lane_key || '';
