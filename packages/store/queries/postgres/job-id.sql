select id from andon_jobs where pos = @pos;
