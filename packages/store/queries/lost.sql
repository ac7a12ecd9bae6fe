-- lost-worker
select jobs from andon_lost_workers where id = @id;

-- lost-worker-put
insert into andon_lost_workers (id, host, pid, version, queues, started_at, beat_at, lost_at, jobs)
values (@id, @host, @pid, @version, @queues, @startedAt, @beatAt, @at, @jobs)
on conflict (id) do update set jobs = excluded.jobs;

-- lost-workers
select id, host, pid, version, queues, started_at, beat_at, lost_at, jobs
from andon_lost_workers order by lost_at desc, id limit @most;

-- lost-workers-drop
delete from andon_lost_workers where lost_at < @before;
