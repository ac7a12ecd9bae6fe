update andon_jobs set cursor = @cursor, progress = coalesce(@progress, progress),
  stalled = case when cursor is distinct from @cursor then 0 else stalled end
where pos = @pos and exists (
  select 1 from andon_running r
  where r.queue = (select j.queue from andon_jobs j where j.pos = @pos) and r.pos = @pos and r.fence = @fence
    and r.cancel_actor is null
);
