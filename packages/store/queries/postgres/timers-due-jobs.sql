select pos, id, lane_keys, seq from andon_jobs where pos = any(@positions::bigint[]);
