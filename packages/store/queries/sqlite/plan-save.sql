insert into andon_plans (id, queue, action, actor, reason, tenant, created_at, expires_at, reach, count)
values (@id, @queue, @action, @actor, @reason, @tenant, @createdAt, @expiresAt, @reach, @count)
on conflict (id) do update set expires_at = excluded.expires_at, reach = excluded.reach, count = excluded.count;
