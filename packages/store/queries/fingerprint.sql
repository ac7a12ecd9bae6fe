-- fingerprints-beyond-organization
select pos from andon_ended where organization = @organization and tenant = @tenant and queue = @queue and state = 'failed'
  order by at desc, pos desc limit 1 offset @most;

-- fingerprints-beyond-tenant
select pos from andon_ended where tenant = @tenant and tenant <> 'default' and queue = @queue and state = 'failed'
  order by at desc, pos desc limit 1 offset @most;

-- fingerprints-last-resolution (SQLite)
select n.pos, (
  select s.pos from (
    select pos, at, tenant, organization from andon_ended
    where queue = @queue and fingerprint = n.fingerprint and state = 'resolved' order by at desc limit @most
  ) s where (cast(@tenant as text) is null or s.tenant = @tenant)
  and (cast(@organization as text) is null or s.organization = @organization) order by s.at desc limit 1
) as settled
from andon_jobs n where n.pos in (select value from json_each(@positions));

-- fingerprints-last-resolution (PostgreSQL)
select n.pos, (
  select s.pos from (
    select pos, at, tenant, organization from andon_ended
    where queue = @queue and fingerprint = n.fingerprint and state = 'resolved' order by at desc limit @most
  ) s where (cast(@tenant as text) is null or s.tenant = @tenant)
  and (cast(@organization as text) is null or s.organization = @organization) order by s.at desc limit 1
) as settled
from andon_jobs n where n.pos = any(@positions::bigint[]);

-- fingerprints-of-organization
select fingerprint, count(*) as count, min(at) as "firstAt", max(at) as "lastAt", max(pos) as newest from (
  select pos, fingerprint, at, tenant, organization from andon_ended where organization = @organization and tenant = @tenant and queue = @queue and state = 'failed'
  order by at desc, pos desc limit @most
) f where (cast(@tenant as text) is null or f.tenant = @tenant)
  and (cast(@organization as text) is null or f.organization = @organization)
group by fingerprint;

-- fingerprints-of-queue
select fingerprint, count(*) as count, min(at) as "firstAt", max(at) as "lastAt", max(pos) as newest from (
  select pos, fingerprint, at, tenant, organization from andon_ended where queue = @queue and state = 'failed' order by at desc, pos desc limit @most
) f where (cast(@tenant as text) is null or f.tenant = @tenant)
  and (cast(@organization as text) is null or f.organization = @organization)
group by fingerprint;

-- fingerprints-of-tenant
select fingerprint, count(*) as count, min(at) as "firstAt", max(at) as "lastAt", max(pos) as newest from (
  select pos, fingerprint, at, tenant, organization from andon_ended where tenant = @tenant and tenant <> 'default' and queue = @queue and state = 'failed'
  order by at desc, pos desc limit @most
) f where (cast(@tenant as text) is null or f.tenant = @tenant)
  and (cast(@organization as text) is null or f.organization = @organization)
group by fingerprint;
