select count(*) as looked, coalesce(sum(case when (cast(@target as text) is null or a.target = @target) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action) then 1 else 0 end), 0) as total from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant from andon_audit where action >= @action and action <= @action order by action desc, at desc, id desc limit @most
) a;
