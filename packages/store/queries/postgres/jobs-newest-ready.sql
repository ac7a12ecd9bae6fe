select pos from andon_ready where queue = @queue order by rank desc, pos desc limit @limit offset @offset;
