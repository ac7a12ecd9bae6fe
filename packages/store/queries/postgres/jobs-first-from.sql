select pos, created_at from andon_jobs where pos >= @pos order by pos limit 1;
