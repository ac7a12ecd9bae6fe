select pos from andon_timers where queue = @queue limit @most;
