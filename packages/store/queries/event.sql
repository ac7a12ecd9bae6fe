-- events-add (SQLite)
insert into andon_events (type, at, queue, job_id, tenant, organization, data)
select r.type, cast(@at as bigint), r.queue, r.job_id,
  coalesce(r.tenant, (select j.tenant from andon_jobs j where j.id = r.job_id)),
  coalesce(r.organization, (select j.organization from andon_jobs j where j.id = r.job_id)), r.data
from (select value ->> 'n' as n, value ->> 'type' as type, value ->> 'queue' as queue, value ->> 'job_id' as job_id, value ->> 'tenant' as tenant, value ->> 'organization' as organization, value ->> 'data' as data from json_each(@events)) r order by r.n;

-- events-add (PostgreSQL)
insert into andon_events (type, at, queue, job_id, tenant, organization, data)
select r.type, cast(@at as bigint), r.queue, r.job_id,
  coalesce(r.tenant, (select j.tenant from andon_jobs j where j.id = r.job_id)),
  coalesce(r.organization, (select j.organization from andon_jobs j where j.id = r.job_id)), r.data
from json_to_recordset(@events::json) as r(n bigint, type text, queue text, job_id text, tenant text, organization text, data text) order by r.n;

-- events-after
select id, type, at, queue, job_id, tenant, organization, data from andon_events where id > @after order by id limit @most;

-- events-last
select coalesce(max(id), 0) as id from andon_events;

-- events-of-job
select id, type, at, queue, job_id, tenant, organization, data from andon_events where job_id >= @jobId and job_id <= @jobId order by job_id desc, id desc limit @most;

-- events-of-organization
select * from (
  select * from (
    select id, type, at, queue, job_id, tenant, organization, data from andon_events
    where organization = @organization and tenant = @tenant and id > @after order by id limit @most
  ) own
  union all
  select * from (
    select id, type, at, queue, job_id, tenant, organization, data from andon_events
    where substr(type, 1, 6) = 'queue.' and id > @after and (organization is null or organization <> @organization or tenant <> @tenant) order by id limit @most
  ) shared
) e order by id limit @most;

-- events-of-queue
select id, type, at, queue, job_id, tenant, organization, data from andon_events where queue = @queue and id > @after order by id limit @most;

-- events-of-queue-and-organization
select id, type, at, queue, job_id, tenant, organization, data from andon_events
where queue = @queue and id > @after and ((organization = @organization and tenant = @tenant) or substr(type, 1, 6) = 'queue.') order by id limit @most;

-- events-of-queue-and-tenant
select id, type, at, queue, job_id, tenant, organization, data from andon_events
where queue = @queue and id > @after and ((tenant = @tenant) or substr(type, 1, 6) = 'queue.') order by id limit @most;

-- events-of-tenant
select * from (
  select * from (
    select id, type, at, queue, job_id, tenant, organization, data from andon_events
    where tenant = @tenant and id > @after order by id limit @most
  ) own
  union all
  select * from (
    select id, type, at, queue, job_id, tenant, organization, data from andon_events
    where substr(type, 1, 6) = 'queue.' and id > @after and (tenant is null or tenant <> @tenant) order by id limit @most
  ) shared
) e order by id limit @most;

-- events-stops
select id, type, at, queue, job_id, tenant, organization, data from andon_events
where queue = @queue and type = 'queue.stopped' and at = @when;
