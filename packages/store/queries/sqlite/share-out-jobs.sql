update andon_jobs set share = tenant
where pos in (select value from json_each(@positions)) and queue = @queue and share is null and state = 'open';
