delete from andon_timers where pos in (select value from json_each(@positions));
