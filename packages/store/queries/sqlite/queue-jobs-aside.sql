select pos from andon_aside where queue = @queue limit @most;
