select id, host, pid, beat, started_at as "startedAt", queues from andon_workers order by started_at, id;
