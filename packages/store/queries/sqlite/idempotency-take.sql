insert into andon_idempotency (queue, tenant, idempotency_key, job_id) values (@queue, @tenant, @key, @id)
on conflict do nothing;
