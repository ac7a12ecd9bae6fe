select a.pos, a.fingerprint, a.at, case when j.tenant = @tenant then 1 else 0 end as is_own from (
  select pos, fingerprint, at from andon_aside
  where queue = @queue and state = 'failed' order by at desc, pos desc limit @most
) a join andon_jobs j on j.pos = a.pos order by a.at desc, a.pos desc;
