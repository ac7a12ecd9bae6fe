select coalesce(max(id), 0) as id from andon_events;
