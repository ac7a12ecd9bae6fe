delete from andon_ready where queue = ?1 and (rank, pos) <= (?2, ?3);
