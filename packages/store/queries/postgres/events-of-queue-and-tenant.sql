select id, type, at, queue, job_id, tenant, data from andon_events
where queue = @queue and id > @after and (tenant = @tenant or substr(type, 1, 6) = 'queue.') order by id limit @most;
