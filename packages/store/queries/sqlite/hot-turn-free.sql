delete from andon_lane_jobs where queue = ?1 and pos = ?2 returning lane_key, seq;
