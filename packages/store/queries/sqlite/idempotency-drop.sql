delete from andon_idempotency where job_id in (select value from json_each(@ids));
