delete from andon_lane_jobs where queue = @queue and pos = any(@positions::bigint[]);
