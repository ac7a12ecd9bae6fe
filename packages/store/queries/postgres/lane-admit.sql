update andon_jobs set waits = waits - 1 where pos = @pos returning waits;
