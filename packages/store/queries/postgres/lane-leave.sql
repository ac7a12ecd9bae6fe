delete from andon_lane_jobs where queue = @queue and pos in (select unnest(@positions::bigint[])) returning lane_key;
