delete from andon_operation_steps where list in (select id from andon_plans where queue = @queue limit @most);
