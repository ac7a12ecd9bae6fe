-- tickets-reserve (SQLite)
update or fail andon_job_numbers set last = last + @count returning last as number;

-- tickets-reserve (PostgreSQL)
select 1;

-- tickets-set (SQLite)
update andon_jobs set ticket = @last - json_array_length(@positions) + p.key + 1
from json_each(@positions) p where andon_jobs.pos = p.value;

-- tickets-set (PostgreSQL)
update andon_jobs set ticket = nextval('andon_job_numbers') where pos = any(@positions::bigint[]);
