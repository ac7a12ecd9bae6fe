select * from andon_audit order by at desc, id desc limit @limit offset @offset;
