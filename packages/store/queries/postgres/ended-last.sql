select at, pos from andon_aside where (queue, state) >= (@queue, @state) and (queue, state) <= (@queue, @state) order by queue desc, state desc, at desc, pos desc limit 1;
