select max(id) as last from (
  select id, at from andon_stops where resumed_at is not null order by id limit @most
) oldest where at < @before;
