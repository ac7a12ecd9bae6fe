select pos, lane_key, seq from andon_lane_jobs where pos = any(@positions::bigint[]);
