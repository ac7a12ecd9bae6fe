select state, epoch from andon_queues where name = ?1;
