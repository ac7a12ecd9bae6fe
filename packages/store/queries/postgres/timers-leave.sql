delete from andon_timers where pos in (select unnest(@positions::bigint[]));
