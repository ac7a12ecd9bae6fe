select pos from andon_running where queue = @queue order by pos limit @limit offset @offset;
