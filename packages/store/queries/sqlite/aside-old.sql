select pos from andon_aside where queue = @queue and state = @state and at < @before order by at, pos limit @most;
