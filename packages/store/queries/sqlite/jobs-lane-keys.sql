select distinct lane_keys from andon_jobs where pos in (select value from json_each(@positions)) and lane_keys is not null;
