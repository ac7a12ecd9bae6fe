update andon_jobs set waits = waits + 1
where pos = (
  select pos from andon_lane_jobs where queue = @queue and lane_key = @key and seq = @seq and lanes > 1
);
