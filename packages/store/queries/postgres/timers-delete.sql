delete from andon_timers where queue = @queue and pos = any(@positions::bigint[]);
