delete from andon_lane_jobs where pos in (select value from json_each(@positions)) returning lane_key;
