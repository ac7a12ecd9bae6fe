select id, epoch, at, worker from andon_turns where queue = @queue and id > @turn and claimed > 0 order by id limit @most;
