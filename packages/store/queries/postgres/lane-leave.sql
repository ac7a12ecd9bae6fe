delete from andon_lane_jobs where pos = any(@positions::bigint[]) returning lane_key;
