select id, type, at, queue, job_id, tenant, data from andon_events
where id > @after and (cast(@queue as text) is null or queue = @queue) order by id limit @most;
