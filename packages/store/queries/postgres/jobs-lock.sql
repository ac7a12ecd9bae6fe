select pos from andon_jobs where pos = any(@positions::bigint[]) order by pos + 0 for update;
