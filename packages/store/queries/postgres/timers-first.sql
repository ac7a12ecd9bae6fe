with recursive q(queue) as (
  select (select t.queue from andon_timers t order by t.queue limit 1)
  union all
  select (select t.queue from andon_timers t where t.queue > q.queue order by t.queue limit 1) from q where q.queue is not null
)
select q.queue, (
  select t.due_at from andon_timers t where t.queue >= q.queue and t.queue <= q.queue order by t.queue, t.due_at, t.pos limit 1
) as due
from q where q.queue is not null;
