select fingerprint, count(*) as count, min(at) as "firstAt", max(at) as "lastAt", max(pos) as newest from (
  select pos, fingerprint, at, tenant from andon_aside where tenant = @tenant and tenant <> 'default' and queue = @queue and state = 'failed'
  order by at desc, pos desc limit @most
) f where cast(@tenant as text) is null or f.tenant = @tenant
group by fingerprint;
