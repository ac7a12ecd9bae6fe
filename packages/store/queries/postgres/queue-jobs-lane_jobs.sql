select pos from andon_lane_jobs where queue = @queue limit @most;
