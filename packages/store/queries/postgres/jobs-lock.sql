select pos from andon_jobs where pos in (select unnest(@positions::bigint[])) order by pos + 0 for update;
