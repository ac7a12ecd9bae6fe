insert into andon_audit (id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant)
select r.id, r.actor, cast(@at as bigint), r.action, r.target, r.reason, r.before_json, r.after_json, r.n, r.hash,
  coalesce(r.tenant, (select j.tenant from andon_jobs j where j.id = r.job_id))
from json_to_recordset(@rows::json) as r(n bigint, id text, actor text, action text, target text, reason text, before_json text, after_json text, hash text, tenant text, job_id text) order by r.n;
