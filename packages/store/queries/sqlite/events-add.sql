insert into andon_events (type, at, queue, job_id, tenant, data)
select r.type, cast(@at as bigint), r.queue, r.job_id, (select j.tenant from andon_jobs j where j.id = r.job_id), r.data
from (select value ->> 'n' as n, value ->> 'type' as type, value ->> 'queue' as queue, value ->> 'job_id' as job_id, value ->> 'data' as data from json_each(@events)) r order by r.n;
