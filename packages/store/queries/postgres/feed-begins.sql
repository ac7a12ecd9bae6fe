select at from andon_events order by id limit 1;
