select max(id) as last from (
  select id, at from andon_events where id < (select max(id) from andon_events) order by id limit @most
) oldest where at < @before;
