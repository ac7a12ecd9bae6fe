select id, done, case when newer + done > @skip then finished end as finished from (
  select id, queue, done, finished, sum(done) over (order by queue desc, id desc) - done as newer from (
    select id, queue, done, finished from andon_turns where (queue, id) > (@queue, 0) and (queue, id) < (@queue, @before) and done > 0 order by queue desc, id desc limit @most
  ) looked
) turns where newer < @wanted order by queue desc, id desc;
