select count(*) as running from andon_running where queue = ?1;
