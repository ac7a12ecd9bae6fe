select pos from andon_aside where queue = @queue and state = @state order by pos limit @most;
