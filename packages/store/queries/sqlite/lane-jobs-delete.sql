delete from andon_lane_jobs where queue = @queue and pos in (select value from json_each(@positions));
