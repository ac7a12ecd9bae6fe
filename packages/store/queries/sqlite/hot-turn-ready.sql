insert into andon_ready (queue, rank, pos) values (?1, ?2, ?3);
