delete from andon_lane_jobs where pos in (select unnest(@positions::bigint[])) returning lane_key;
