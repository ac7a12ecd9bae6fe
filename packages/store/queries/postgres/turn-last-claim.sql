select id, worker, at, started from andon_turns where queue = @queue and claimed > 0 order by id desc limit 1;
