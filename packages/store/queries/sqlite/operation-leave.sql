update andon_operations set driver = null, beat = beat + 1 where id = @id and driver = @driver and finished_at is null;
