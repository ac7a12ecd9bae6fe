select distinct lane_keys from andon_jobs where pos = any(@positions::bigint[]) and lane_keys is not null;
