update andon_events set data = '{}' where job_id in (select value from json_each(@ids));
