update andon_lanes set next_seq = next_seq + 1, depth = depth + 1, gone = gone + @left,
  head_seq = case when head_seq = 0 and held_at is null then next_seq + 1 else head_seq end
where queue = @queue and lane_key = @key returning next_seq, head_seq;
