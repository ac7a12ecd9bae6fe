select * from andon_schedules where name = @name;
