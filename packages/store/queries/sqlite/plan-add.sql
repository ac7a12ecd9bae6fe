insert into andon_plans (id, queue, action, actor, reason, tenant, created_at, expires_at, reach, targets)
values (@id, @queue, @action, @actor, @reason, @tenant, @createdAt, @expiresAt, @reach, @targets);
