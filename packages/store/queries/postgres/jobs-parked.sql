select pos from andon_aside where queue = @queue and state = 'parked' order by at desc, pos desc limit @limit offset @offset;
