delete from andon_lane_jobs where queue = ?1 and lane_key = ?2 and seq = ?3;
