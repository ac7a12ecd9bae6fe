select pos from andon_ready where queue = @queue limit @most;
