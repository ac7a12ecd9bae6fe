select count(*) as running from andon_running r
where r.queue = @queue and (select j.tenant from andon_jobs j where j.pos = r.pos) = @tenant;
