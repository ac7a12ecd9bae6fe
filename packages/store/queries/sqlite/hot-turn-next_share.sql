select share from andon_ready where queue = ?1 and share > ?2 order by share limit 1;
