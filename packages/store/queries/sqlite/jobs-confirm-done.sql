select pos, fence from andon_jobs
where pos in (select value from json_each(@positions)) and state = 'done' and worker = @worker;
