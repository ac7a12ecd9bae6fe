delete from andon_jobs where pos in (select value from json_each(@positions)) and state = @state
returning id, lane_keys, seq;
