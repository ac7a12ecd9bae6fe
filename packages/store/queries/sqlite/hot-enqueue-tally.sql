insert into andon_tallies (queue, ready, blocked, scheduled) values (?1, ?2, ?3, ?4);
