select j.resolved_by as actor, j.resolution_note as reason, j.resolved_at as at from (
  select s.pos from (
    select pos, at, tenant from andon_aside
    where queue = @queue and fingerprint = @fingerprint and state = 'resolved' order by at desc limit @most
  ) s where cast(@tenant as text) is null or s.tenant = @tenant order by s.at desc limit 1
) a join andon_jobs j on j.pos = a.pos;
