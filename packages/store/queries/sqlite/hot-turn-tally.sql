insert into andon_tallies (queue, blocked, ready, running, done) values (?1, ?2, ?3, ?4, ?5);
