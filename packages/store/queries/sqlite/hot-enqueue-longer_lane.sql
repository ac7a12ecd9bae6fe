update andon_lanes set next_seq = ?3, head_seq = ?4, depth = depth + 1
where queue = ?1 and lane_key = ?2;
