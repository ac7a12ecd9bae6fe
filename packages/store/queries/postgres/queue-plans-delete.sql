delete from andon_plans where id in (select id from andon_plans where queue = @queue limit @most);
