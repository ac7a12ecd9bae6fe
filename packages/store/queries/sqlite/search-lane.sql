select pos from andon_lane_jobs where queue = @queue and lane_key = @key order by seq desc limit @most;
