select min(due_at) as due from andon_timers;
