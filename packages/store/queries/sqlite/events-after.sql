select id, type, at, queue, job_id, tenant, data from andon_events where id > @after order by id limit @most;
