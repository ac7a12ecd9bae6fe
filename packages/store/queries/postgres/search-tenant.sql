select pos from andon_jobs
where tenant = @tenant and tenant <> 'default' and queue = @queue and pos >= @first and pos < @end
order by pos desc limit @most;
