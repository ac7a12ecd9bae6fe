select pos, fence from andon_jobs
where pos in (select unnest(@positions::bigint[])) and state = 'done' and worker = @worker;
