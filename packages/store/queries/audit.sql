-- audit-add (SQLite)
insert into andon_audit (id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization)
select r.id, r.actor, cast(@at as bigint), r.action, r.target, r.reason, r.before_json, r.after_json, r.n, r.hash,
  coalesce(r.tenant, (select j.tenant from andon_jobs j where j.id = r.job_id)),
  coalesce(r.organization, (select j.organization from andon_jobs j where j.id = r.job_id))
from (select value ->> 'n' as n, value ->> 'id' as id, value ->> 'actor' as actor, value ->> 'action' as action, value ->> 'target' as target, value ->> 'reason' as reason, value ->> 'before_json' as before_json, value ->> 'after_json' as after_json, value ->> 'hash' as hash, value ->> 'tenant' as tenant, value ->> 'organization' as organization, value ->> 'job_id' as job_id from json_each(@rows)) r order by r.n;

-- audit-add (PostgreSQL)
insert into andon_audit (id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization)
select r.id, r.actor, cast(@at as bigint), r.action, r.target, r.reason, r.before_json, r.after_json, r.n, r.hash,
  coalesce(r.tenant, (select j.tenant from andon_jobs j where j.id = r.job_id)),
  coalesce(r.organization, (select j.organization from andon_jobs j where j.id = r.job_id))
from json_to_recordset(@rows::json) as r(n bigint, id text, actor text, action text, target text, reason text, before_json text, after_json text, hash text, tenant text, organization text, job_id text) order by r.n;

-- audit-chain
select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where seq > @after order by seq limit @most;

-- audit-chain-page
select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where seq > @after and seq <= @upTo order by seq desc;

-- audit-checked
select seq, hash from andon_audit_checked where id = 1;

-- audit-checked-save
insert into andon_audit_checked (id, seq, hash) values (1, @seq, @hash)
on conflict (id) do update set seq = excluded.seq, hash = excluded.hash where andon_audit_checked.seq < excluded.seq;

-- audit-count-action
select count(*) as looked, coalesce(sum(case when (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action) then 1 else 0 end), 0) as total from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where action >= @action and action <= @action and at >= @from and at < @to order by action desc, at desc, id desc limit @most
) a;

-- audit-count-actor
select count(*) as looked, coalesce(sum(case when (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action) then 1 else 0 end), 0) as total from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where actor >= @actor and actor <= @actor and at >= @from and at < @to order by actor desc, at desc, id desc limit @most
) a;

-- audit-count-at
select count(*) as looked, coalesce(sum(case when (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action) then 1 else 0 end), 0) as total from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where at >= @from and at < @to order by at desc, id desc limit @most
) a;

-- audit-count-organization
select count(*) as looked, coalesce(sum(case when (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action) then 1 else 0 end), 0) as total from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where organization >= @organization and organization <= @organization and at >= @from and at < @to order by organization desc, at desc, id desc limit @most
) a;

-- audit-count-target
select count(*) as looked, coalesce(sum(case when (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action) then 1 else 0 end), 0) as total from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where target >= @target and target <= @target and at >= @from and at < @to order by target desc, at desc, id desc limit @most
) a;

-- audit-count-tenant
select count(*) as looked, coalesce(sum(case when (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action) then 1 else 0 end), 0) as total from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where tenant >= @tenant and tenant <= @tenant and at >= @from and at < @to order by tenant desc, at desc, id desc limit @most
) a;

-- audit-count-whole-action
select count(*) as total from (
  select 1 from andon_audit where action >= @action and action <= @action and at >= @from and at < @to order by action desc, at desc, id desc limit @most
) a;

-- audit-count-whole-actor
select count(*) as total from (
  select 1 from andon_audit where actor >= @actor and actor <= @actor and at >= @from and at < @to order by actor desc, at desc, id desc limit @most
) a;

-- audit-count-whole-at
select count(*) as total from (
  select 1 from andon_audit where at >= @from and at < @to order by at desc, id desc limit @most
) a;

-- audit-count-whole-organization
select count(*) as total from (
  select 1 from andon_audit where organization >= @organization and organization <= @organization and at >= @from and at < @to order by organization desc, at desc, id desc limit @most
) a;

-- audit-count-whole-target
select count(*) as total from (
  select 1 from andon_audit where target >= @target and target <= @target and at >= @from and at < @to order by target desc, at desc, id desc limit @most
) a;

-- audit-count-whole-tenant
select count(*) as total from (
  select 1 from andon_audit where tenant >= @tenant and tenant <= @tenant and at >= @from and at < @to order by tenant desc, at desc, id desc limit @most
) a;

-- audit-head
select seq, hash from andon_audit_head where id = 1;

-- audit-head-lock
insert into andon_audit_head (id, seq, hash) values (1, 0, @genesis)
on conflict (id) do update set seq = andon_audit_head.seq returning seq, hash;

-- audit-head-save
update andon_audit_head set seq = @seq, hash = @hash where id = 1;

-- audit-page-action
select a.* from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where action >= @action and action <= @action and at >= @from and at < @to order by action desc, at desc, id desc limit @most
) a where (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action)
order by a.at desc, a.id desc limit @limit offset @offset;

-- audit-page-actor
select a.* from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where actor >= @actor and actor <= @actor and at >= @from and at < @to order by actor desc, at desc, id desc limit @most
) a where (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action)
order by a.at desc, a.id desc limit @limit offset @offset;

-- audit-page-at
select a.* from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where at >= @from and at < @to order by at desc, id desc limit @most
) a where (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action)
order by a.at desc, a.id desc limit @limit offset @offset;

-- audit-page-organization
select a.* from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where organization >= @organization and organization <= @organization and at >= @from and at < @to order by organization desc, at desc, id desc limit @most
) a where (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action)
order by a.at desc, a.id desc limit @limit offset @offset;

-- audit-page-target
select a.* from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where target >= @target and target <= @target and at >= @from and at < @to order by target desc, at desc, id desc limit @most
) a where (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action)
order by a.at desc, a.id desc limit @limit offset @offset;

-- audit-page-tenant
select a.* from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization from andon_audit where tenant >= @tenant and tenant <= @tenant and at >= @from and at < @to order by tenant desc, at desc, id desc limit @most
) a where (cast(@target as text) is null or a.target = @target) and (cast(@organization as text) is null or a.organization = @organization) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action)
order by a.at desc, a.id desc limit @limit offset @offset;
