-- plan-close
update andon_plans set applied_at = @at where id = @id;

-- plan-drop
delete from andon_plans where id = @id;

-- plan-drop-list
delete from andon_operation_steps where list = @id;

-- plan-read
select id, queue, action, actor, reason, tenant, organization, created_at, expires_at, applied_at, reach, count
from andon_plans where id = @id and (cast(@tenant as text) is null or tenant = @tenant)
  and (cast(@organization as text) is null or organization = @organization);

-- plan-save
insert into andon_plans (id, queue, action, actor, reason, tenant, organization, created_at, expires_at, reach, count)
values (@id, @queue, @action, @actor, @reason, @tenant, @organization, @createdAt, @expiresAt, @reach, @count)
on conflict (id) do update set expires_at = excluded.expires_at, reach = excluded.reach, count = excluded.count;

-- plans-old
select id from andon_plans where queue = @queue and expires_at < @before order by expires_at limit 1;
