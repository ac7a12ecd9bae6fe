insert into andon_ready (queue, rank, pos, share) values (?1, ?2, ?3, ?4);
