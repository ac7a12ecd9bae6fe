insert into andon_events (type, at, queue, job_id, tenant, data)
values (@type, @at, @queue, @jobId, (select j.tenant from andon_jobs j where j.id = @jobId), @data);
