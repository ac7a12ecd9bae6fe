delete from andon_events where job_id = any(@ids::text[]) and id < (select max(id) from andon_events);
