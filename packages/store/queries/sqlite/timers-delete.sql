delete from andon_timers where queue = @queue and pos in (select value from json_each(@positions));
