select coalesce(sum(t.done), 0) as done, count(*) as turns, min(t.at) as since from (
  select done, at from andon_turns where queue >= @queue and queue <= @queue order by queue desc, id desc limit @most
) t where t.at > @since;
