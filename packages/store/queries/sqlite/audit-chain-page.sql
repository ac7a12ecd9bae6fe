select id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant from andon_audit where seq > @after and seq <= @upTo order by seq desc;
