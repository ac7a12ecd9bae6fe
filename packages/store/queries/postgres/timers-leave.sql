delete from andon_timers where pos = any(@positions::bigint[]);
