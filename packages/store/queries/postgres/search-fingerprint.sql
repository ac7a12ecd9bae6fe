select pos from andon_aside
where queue = @queue and fingerprint = @fingerprint and state = @state order by at desc limit @most;
