insert into andon_events (type, at, queue, job_id, tenant, data)
select 'job.progress', $1::bigint, j.queue, j.id, j.tenant, '{"progress":' || j.progress || '}'
from andon_jobs j where j.pos = any($2::bigint[]);
