update andon_jobs set ticket = @ticket where pos = @pos;
