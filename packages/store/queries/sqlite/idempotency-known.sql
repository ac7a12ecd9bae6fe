select id, pos, ticket, seq from andon_jobs where id = (
  select job_id from andon_idempotency where queue = @queue and tenant = @tenant and idempotency_key = @key
);
