update andon_jobs set waits = ?2, seq = ?3 where pos = ?1;
