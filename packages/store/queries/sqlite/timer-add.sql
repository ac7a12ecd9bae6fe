insert into andon_timers (pos, queue, due_at, kind) values (@pos, @queue, @due, @kind);
