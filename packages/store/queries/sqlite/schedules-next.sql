select min(next_at) as next from andon_schedules where next_at > @after;
