delete from andon_jobs where pos = any(@positions::bigint[]) returning id, lane_keys, seq;
