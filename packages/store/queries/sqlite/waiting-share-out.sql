update andon_jobs set share = tenant
where pos in (select pos from andon_timers where queue = @queue
union all select pos from andon_lane_jobs where queue = @queue)
  and share is null and state = 'open';
