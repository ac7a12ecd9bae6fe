insert into andon_events (type, at, queue, job_id, tenant, data)
select r.type, cast(@at as bigint), r.queue, r.job_id, (select j.tenant from andon_jobs j where j.id = r.job_id), r.data
from json_to_recordset(@events::json) as r(n bigint, type text, queue text, job_id text, data text) order by r.n;
