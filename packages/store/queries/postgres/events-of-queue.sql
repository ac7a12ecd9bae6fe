select id, type, at, queue, job_id, tenant, data from andon_events where queue = @queue and id > @after order by id limit @most;
