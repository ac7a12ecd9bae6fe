select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id, m.seq,
  (select count(*) from (
    select 1 from andon_lane_jobs a where a.queue = m.queue and a.lane_key = m.lane_key and a.seq < m.seq limit 1000
  ) ahead) as ahead,
  (select b.pos from andon_lane_jobs b where b.queue = m.queue and b.lane_key = m.lane_key order by b.seq limit 1) as head_pos
from andon_jobs j
join andon_lane_jobs m on m.pos = j.pos
join andon_lanes l on l.queue = m.queue and l.lane_key = m.lane_key
where j.pos = @pos
order by m.lane_key;
