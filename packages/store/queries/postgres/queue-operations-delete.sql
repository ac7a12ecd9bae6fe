delete from andon_operations where id in (select id from andon_operations where queue = @queue limit @most);
