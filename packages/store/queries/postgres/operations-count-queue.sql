select count(*) as total from (
  select 1 from andon_operations where queue >= @queue and queue <= @queue and (cast(@tenant as text) is null or tenant = @tenant) and (cast(@open as integer) = 0 or finished_at is null) order by queue desc, created_at desc, id desc limit @most
) s;
