delete from andon_events where job_id in (select value from json_each(@ids)) and id < (select max(id) from andon_events);
