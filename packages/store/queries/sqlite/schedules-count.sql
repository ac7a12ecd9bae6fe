select count(*) as total from (select 1 from andon_schedules limit 10001) s;
