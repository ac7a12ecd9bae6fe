delete from andon_schedules where id in (select id from andon_schedules where queue = @queue limit @most);
