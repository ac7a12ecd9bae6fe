select pos from andon_ready where queue = @queue order by rank, pos limit @limit offset @offset;
