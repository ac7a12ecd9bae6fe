update andon_workers set beat = beat + 1, queues = @queues where id = @id;
