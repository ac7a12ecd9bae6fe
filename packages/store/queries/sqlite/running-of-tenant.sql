select count(*) as running from andon_running r join andon_jobs j on j.pos = r.pos
where r.queue = @queue and j.tenant = @tenant;
