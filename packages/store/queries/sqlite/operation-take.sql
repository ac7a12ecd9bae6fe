update andon_operations set driver = @driver, beat = beat + 1
where id = @id and beat = @beat and finished_at is null;
