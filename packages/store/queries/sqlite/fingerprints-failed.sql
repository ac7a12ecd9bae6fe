select pos, fingerprint, at, 1 as is_own from andon_aside
where queue = @queue and state = 'failed' order by at desc, pos desc limit @most;
