select pos, case when queue = @queue then 1 else 0 end as is_own from andon_jobs
order by pos desc limit @most;
