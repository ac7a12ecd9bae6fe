delete from andon_stops where queue = @queue and id in (select id from andon_stops where queue = @queue limit @most);
