update andon_workers set beat = beat + 1, queues = @queues, rules = @rules where id = @id;
