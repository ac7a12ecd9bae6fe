select pos from andon_running where queue = @queue order by pos desc limit @limit offset @offset;
