update andon_ready set share = (select j.tenant from andon_jobs j where j.pos = andon_ready.pos)
where queue = @queue and share is null
returning pos;
