select * from andon_lanes where queue = @queue and lane_key in (select value from json_each(@keys))
order by lane_key;
