select done, finished from andon_turns where queue = @queue and done > 0 order by id desc limit @most;
