select pos, due_at from andon_timers
where (queue, due_at, pos) > (@queue, @first, @second) and queue <= @queue order by queue, due_at, pos limit @most;
