select coalesce(sum(t.done), 0) as done, count(*) as turns, min(t.at) as since from (
  select done, at from andon_turns where queue = @queue order by id desc limit @most
) t where t.at > @since;
