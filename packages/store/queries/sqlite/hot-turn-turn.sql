insert into andon_turns (queue, epoch, worker, at, claimed, done, started, finished) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);
