update andon_jobs set share = tenant where queue = @queue and share is null and state = 'open';
