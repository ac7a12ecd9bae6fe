select distinct queue from andon_timers where due_at <= @now;
