select id, queue, action, actor, reason, tenant, created_at, expires_at, applied_at, reach, count
from andon_plans where id = @id and (cast(@tenant as text) is null or tenant = @tenant);
