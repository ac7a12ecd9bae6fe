delete from andon_ready
where queue = @queue and rank in (select value from json_each(@ranks)) and pos in (select value from json_each(@positions));
