select pos, due_at from andon_timers
where (queue, due_at, pos) > (@queue, @afterDue, @afterPos) and (queue, due_at) <= (@queue, @now)
order by queue, due_at, pos limit @most for update skip locked;
