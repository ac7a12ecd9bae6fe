update andon_turns set at = @to where queue = @queue and id in (select t.id from (
  select id, worker, at from andon_turns where queue >= @queue and queue <= @queue and claimed > 0 order by queue desc, id desc limit @most
) t where t.worker = @worker and t.at = @from);
