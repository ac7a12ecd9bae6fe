select pos, fingerprint, at, tenant from andon_aside
where queue = @queue and state = 'failed' order by at desc, pos desc limit @most;
