select 1 from andon_timers where queue = ?1 and kind = 'backoff' limit 1;
