update andon_running
set cancel_actor = coalesce(cancel_actor, @actor), cancel_reason = case when cancel_actor is null then @reason else cancel_reason end
where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos
returning pos, queue, worker, fence, started_at, cancel_actor, cancel_reason;
