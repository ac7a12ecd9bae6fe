insert into andon_audit (id, actor, at, action, target, reason, before_json, after_json)
values (@id, @actor, @at, @action, @target, @reason, @before, @after);
