select pos from andon_aside where (queue, state) >= (@queue, @state) and (queue, state) <= (@queue, @state) order by queue, state, at, pos limit @most;
