select pos, id, lane_keys, seq from andon_jobs where pos in (select value from json_each(@positions));
