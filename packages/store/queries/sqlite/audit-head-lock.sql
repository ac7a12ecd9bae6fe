insert into andon_audit_head (id, seq, hash, unchained) values (1, 0, @genesis, 0)
on conflict (id) do update set seq = andon_audit_head.seq returning seq, hash;
