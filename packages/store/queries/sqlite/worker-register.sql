insert into andon_workers (id, host, pid, beat, started_at, at_work, queues, rules)
values (@id, @host, @pid, 1, @startedAt, @atWork, @queues, @rules) on conflict (id) do nothing;
