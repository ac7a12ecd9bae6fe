update andon_jobs set cursor = @cursor, progress = coalesce(@progress, progress),
  stalled = case when cursor is distinct from @cursor then 0 else stalled end
where pos = @pos and exists (
  select 1 from andon_running r
  where r.queue = andon_jobs.queue and r.pos = @pos and r.fence = @fence and r.cancel_actor is null
);
