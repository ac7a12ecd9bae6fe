update andon_jobs set waits = waits - 1
where pos = (select pos from andon_lane_jobs where queue = ?1 and lane_key = ?2 and seq = ?3) returning pos, rank, share, waits;
