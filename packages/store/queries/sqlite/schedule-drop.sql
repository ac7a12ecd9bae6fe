delete from andon_schedules where id = @id;
