select seq, unchained from andon_audit_head where id = 1;
