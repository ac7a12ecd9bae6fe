select pos from andon_aside where queue = @queue and state = @state and at < @before order by pos limit @most;
