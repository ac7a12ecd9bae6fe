select pos from andon_aside where queue = @queue and state = 'skipped' order by pos desc limit @limit offset @offset;
