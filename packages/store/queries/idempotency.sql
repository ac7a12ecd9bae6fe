-- idempotency-drop (SQLite)
delete from andon_idempotency where job_id in (select value from json_each(@ids));

-- idempotency-drop (PostgreSQL)
delete from andon_idempotency where job_id = any(@ids::text[]);

-- idempotency-known
select id, pos, ticket, seq from andon_jobs where id = (
  select job_id from andon_idempotency where queue = @queue and tenant = @tenant and idempotency_key = @key
);

-- idempotency-take
insert into andon_idempotency (queue, tenant, idempotency_key, job_id) values (@queue, @tenant, @key, @id)
on conflict do nothing;
