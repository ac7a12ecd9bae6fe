update andon_audit_head set seq = @seq, hash = @hash where id = 1;
