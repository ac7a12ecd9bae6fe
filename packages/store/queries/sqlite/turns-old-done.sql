select id, finished from andon_turns where queue = @queue and done > 0 and at < @before order by id limit @most;
