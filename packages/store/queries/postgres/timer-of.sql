select due_at as due, kind from andon_timers where pos = @pos;
