delete from andon_plans where queue = @queue and expires_at < @before;
