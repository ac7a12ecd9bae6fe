select h.seq, h.hash, h.unchained, u.found from andon_audit_head h
cross join (select count(*) as found from andon_audit where seq is null) u where h.id = 1;
