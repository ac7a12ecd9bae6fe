insert into andon_audit (id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant)
values (@id, @actor, @at, @action, @target, @reason, @before, @after, @seq, @hash,
  coalesce(@tenant, (select j.tenant from andon_jobs j where j.id = @jobId)));
