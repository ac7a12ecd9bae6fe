select pos from andon_aside where queue = @queue and state = 'resolved' order by at desc, pos desc limit @limit offset @offset;
