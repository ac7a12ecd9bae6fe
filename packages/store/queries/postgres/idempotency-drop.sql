delete from andon_idempotency where job_id in (select unnest(@ids::text[]));
