select max(id) as id from (
  select id, at from andon_turns where queue >= @queue and queue <= @queue and not at > @now order by queue, id limit @most
) oldest where at < @before;
