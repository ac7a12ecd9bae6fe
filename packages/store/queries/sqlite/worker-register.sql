insert into andon_workers (id, host, pid, beat, started_at, queues)
values (@id, @host, @pid, 1, @startedAt, @queues) on conflict (id) do nothing;
