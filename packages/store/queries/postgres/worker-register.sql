insert into andon_workers (id, host, pid, beat, started_at, queues, rules)
values (@id, @host, @pid, 1, @startedAt, @queues, @rules) on conflict (id) do nothing;
