select pos from andon_jobs where pos in (select value from json_each(@positions)) order by pos + 0;
