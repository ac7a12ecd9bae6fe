update andon_workers set beat = beat + 1, at_work = @atWork, queues = @queues, rules = @rules
where id = @id;
