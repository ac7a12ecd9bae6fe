update andon_operations set beat = beat + 1 where id = @id and driver = @driver;
