select a.* from (
  select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant from andon_audit where target >= @target and target <= @target order by target desc, at desc, id desc limit @most
) a where (cast(@target as text) is null or a.target = @target) and (cast(@tenant as text) is null or a.tenant = @tenant) and (cast(@actor as text) is null or a.actor = @actor) and (cast(@action as text) is null or a.action = @action)
order by a.at desc, a.id desc limit @limit offset @offset;
