delete from andon_ready where queue = ?1 and rank = ?2 and pos = ?3;
