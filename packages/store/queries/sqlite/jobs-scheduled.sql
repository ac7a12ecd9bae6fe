select pos from andon_timers where queue = @queue order by due_at, pos limit @limit offset @offset;
