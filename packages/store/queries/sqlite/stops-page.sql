select * from andon_stops where queue = @queue order by at desc, id desc limit @limit offset @offset;
