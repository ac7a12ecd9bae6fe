select id, type, at, queue, job_id, tenant, data from andon_events where job_id >= @jobId and job_id <= @jobId order by job_id desc, id desc limit @most;
