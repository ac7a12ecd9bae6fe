update andon_lanes set depth = depth - 1,
  head_seq = case when held_at is null then coalesce((
    select min(seq) from andon_lane_jobs n where n.queue = ?1 and n.lane_key = ?2 and n.seq > ?3
  ), 0) else 0 end
where queue = ?1 and lane_key = ?2;
