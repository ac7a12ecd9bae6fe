delete from andon_ready where queue = @queue and pos in (select value from json_each(@positions));
