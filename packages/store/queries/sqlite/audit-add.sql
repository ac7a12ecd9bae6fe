insert into andon_audit (id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant)
select r.id, r.actor, cast(@at as bigint), r.action, r.target, r.reason, r.before_json, r.after_json, r.n, r.hash,
  coalesce(r.tenant, (select j.tenant from andon_jobs j where j.id = r.job_id))
from (select value ->> 'n' as n, value ->> 'id' as id, value ->> 'actor' as actor, value ->> 'action' as action, value ->> 'target' as target, value ->> 'reason' as reason, value ->> 'before_json' as before_json, value ->> 'after_json' as after_json, value ->> 'hash' as hash, value ->> 'tenant' as tenant, value ->> 'job_id' as job_id from json_each(@rows)) r order by r.n;
