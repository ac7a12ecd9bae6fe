update andon_jobs set ticket = nextval('andon_job_numbers') where pos = any(@positions::bigint[]);
