delete from andon_jobs where pos in (select value from json_each(@positions)) returning id, lane_keys, seq;
