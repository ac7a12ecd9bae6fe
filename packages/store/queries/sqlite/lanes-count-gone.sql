update andon_lanes set gone = gone + @places where queue = @queue and lane_key in (select value from json_each(@keys));
