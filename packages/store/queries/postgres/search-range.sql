select pos from andon_jobs where pos >= @first and pos < @end order by pos desc limit @most;
