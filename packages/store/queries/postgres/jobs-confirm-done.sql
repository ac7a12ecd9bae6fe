select pos, fence from andon_jobs
where pos = any(@positions::bigint[]) and state = 'done' and worker = @worker;
