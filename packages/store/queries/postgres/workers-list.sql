select id, host, pid, beat, started_at as "startedAt", queues, rules from andon_workers order by started_at, id;
