select j.resolved_by as actor, j.resolution_note as reason, j.resolved_at as at from (
  select pos, at from andon_aside
  where queue = @queue and fingerprint = @fingerprint and state = 'resolved' order by at desc limit @most
) a join andon_jobs j on j.pos = a.pos
where cast(@tenant as text) is null or j.tenant = @tenant order by a.at desc limit 1;
