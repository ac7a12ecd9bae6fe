update andon_lanes set gone = gone + @places where queue = @queue and lane_key = any(@keys::text[]);
