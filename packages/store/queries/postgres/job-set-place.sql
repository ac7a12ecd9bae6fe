update andon_jobs set waits = @waits, seq = @seq where pos = @pos;
