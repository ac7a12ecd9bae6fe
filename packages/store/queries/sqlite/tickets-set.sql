update andon_jobs set ticket = @last - json_array_length(@positions) + p.key + 1
from json_each(@positions) p where andon_jobs.pos = p.value;
