select id from andon_plans where queue = @queue and expires_at < @before order by expires_at limit 1;
