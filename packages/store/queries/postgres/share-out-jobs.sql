update andon_jobs set share = tenant
where pos = any(@positions::bigint[]) and queue = @queue and share is null and state = 'open';
