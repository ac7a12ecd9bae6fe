select pos, kind from andon_timers where queue = @queue and due_at <= @now
order by due_at, pos limit @most;
