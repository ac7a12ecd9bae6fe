select id, host, pid, beat, started_at as "startedAt", at_work as "atWork", queues, rules from andon_workers order by started_at, id;
