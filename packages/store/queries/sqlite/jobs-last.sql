select coalesce(max(pos), 0) as pos from andon_jobs;
