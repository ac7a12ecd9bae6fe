delete from andon_idempotency where job_id = any(@ids::text[]);
