delete from andon_operations where queue = @queue and created_at < @before and finished_at is not null;
