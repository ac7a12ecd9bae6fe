delete from andon_running where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos and fence = @fence
returning pos, queue, worker, fence, started_at, cancel_actor, cancel_reason;
