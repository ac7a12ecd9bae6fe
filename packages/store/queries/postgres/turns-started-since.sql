select coalesce(sum(t.claimed), 0) as started from (
  select claimed, at from andon_turns where queue >= @queue and queue <= @queue and claimed > 0 order by queue desc, id desc limit @most
) t where t.at > @since;
