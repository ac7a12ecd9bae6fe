update andon_jobs set share = tenant where pos = any(@positions::bigint[]);
