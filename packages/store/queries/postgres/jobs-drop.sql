delete from andon_jobs where pos = any(@positions::bigint[]) and state = @state
returning id, lane_keys, seq;
