select id, type, at, queue, job_id, tenant, data from andon_events
where queue = @queue and type = 'queue.stopped' and at = @when;
