delete from andon_lane_jobs where pos = ?1 returning lane_key, seq;
