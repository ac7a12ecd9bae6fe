delete from andon_running where pos = @pos and fence = @fence
returning pos, queue, worker, fence, started_at, cancel_actor, cancel_reason;
