select count(*) as jobs from (select 1 from andon_aside where queue = @queue and fingerprint = @fingerprint and state = @state limit @most) found;
