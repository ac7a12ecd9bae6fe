insert into andon_lanes (queue, lane_key, next_seq, head_seq, depth) values (?1, ?2, 1, 1, 1)
on conflict (queue, lane_key) do update set
  next_seq = next_seq + 1,
  depth = depth + 1,
  head_seq = case when head_seq = 0 and held_at is null then next_seq + 1 else head_seq end
returning next_seq, head_seq;
