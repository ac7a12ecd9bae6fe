select * from andon_audit where target = @target order by at desc, id desc limit @limit offset @offset;
