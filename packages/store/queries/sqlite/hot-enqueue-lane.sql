select next_seq, head_seq, held_at from andon_lanes where queue = ?1 and lane_key = ?2;
