select id, type, at, queue, job_id, tenant, data from andon_events where job_id = @jobId order by id desc limit @most;
