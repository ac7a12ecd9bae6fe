select id from andon_workers;
