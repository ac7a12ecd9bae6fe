insert into andon_timers (pos, queue, due_at, kind) values (?1, ?2, ?3, 'later');
