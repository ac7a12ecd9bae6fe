select i.job_id as id, j.pos, j.ticket, j.seq
from andon_idempotency i join andon_jobs j on j.id = i.job_id
where i.queue = @queue and i.tenant = @tenant and i.idempotency_key = @key;
