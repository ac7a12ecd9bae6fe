insert into andon_running (pos, queue, worker, fence, started_at, share) values (?1, ?2, ?3, ?4, ?5, ?6);
