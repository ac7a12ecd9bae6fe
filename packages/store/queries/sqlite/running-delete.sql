delete from andon_running where queue = @queue and pos in (select value from json_each(@positions));
