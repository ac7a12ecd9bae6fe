update andon_running set share = (select j.tenant from andon_jobs j where j.pos = andon_running.pos)
where queue = @queue and share is null
returning pos;
