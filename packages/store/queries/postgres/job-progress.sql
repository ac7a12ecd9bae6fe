update andon_jobs set progress = @progress
where pos = @pos and exists (
  select 1 from andon_running r where r.queue = andon_jobs.queue and r.pos = @pos and r.fence = @fence
);
