update andon_events set data = '{}' where job_id = any(@ids::text[]);
