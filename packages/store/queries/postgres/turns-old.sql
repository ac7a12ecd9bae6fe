select id, done, finished from (
  select id, at, done, finished from andon_turns where queue >= @queue and queue <= @queue order by queue, id limit @most
) oldest where (at < @before or at > @now) and id <= @upTo order by id;
