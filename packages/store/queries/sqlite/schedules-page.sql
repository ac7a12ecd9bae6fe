select * from andon_schedules order by name limit @limit offset @offset;
