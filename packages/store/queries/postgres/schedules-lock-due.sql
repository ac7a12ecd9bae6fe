select * from andon_schedules where next_at <= @now
order by next_at, id limit @most for update skip locked;
