insert into andon_events (type, at, queue, job_id, tenant, data)
select 'job.progress', ?2, queue, id, tenant, '{"progress":' || progress || '}' from andon_jobs where pos = ?1;
