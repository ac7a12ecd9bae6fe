delete from andon_operation_steps where list in (select id from andon_operations where queue = @queue limit @most);
