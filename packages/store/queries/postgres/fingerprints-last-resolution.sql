select n.pos, (
  select s.pos from (
    select pos, at, tenant from andon_aside
    where queue = @queue and fingerprint = n.fingerprint and state = 'resolved' order by at desc limit @most
  ) s where cast(@tenant as text) is null or s.tenant = @tenant order by s.at desc limit 1
) as settled
from andon_jobs n where n.pos = any(@positions::bigint[]);
