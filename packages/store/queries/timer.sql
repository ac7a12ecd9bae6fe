-- timer-add
insert into andon_timers (pos, queue, due_at, kind) values (@pos, @queue, @due, @kind);

-- timer-of
select due_at as due, kind from andon_timers where pos = @pos;

-- timers-arrived (SQLite)
update andon_timers set due_at = @now where pos in (select value from json_each(@positions)) and kind || '' = 'park';

-- timers-arrived (PostgreSQL)
update andon_timers set due_at = @now where pos = any(@positions::bigint[]) and kind || '' = 'park';

-- timers-delete (SQLite)
delete from andon_timers where queue = @queue and pos in (select value from json_each(@positions));

-- timers-delete (PostgreSQL)
delete from andon_timers where queue = @queue and pos = any(@positions::bigint[]);

-- timers-due (SQLite)
select pos, due_at, kind from andon_timers
where (queue, due_at, pos) > (@queue, @afterDue, @afterPos) and (queue, due_at) <= (@queue, @now)
order by queue, due_at, pos limit @most;

-- timers-due (PostgreSQL)
select pos, due_at, kind from andon_timers
where (queue, due_at, pos) > (@queue, @afterDue, @afterPos) and (queue, due_at) <= (@queue, @now)
order by queue, due_at, pos limit @most for update skip locked;

-- timers-due-jobs (SQLite)
select pos, id, tenant, lane_keys, seq, awaits from andon_jobs where pos in (select value from json_each(@positions));

-- timers-due-jobs (PostgreSQL)
select pos, id, tenant, lane_keys, seq, awaits from andon_jobs where pos = any(@positions::bigint[]);

-- timers-first
with recursive q(queue) as (
  select (select t.queue from andon_timers t order by t.queue limit 1)
  union all
  select (select t.queue from andon_timers t where t.queue > q.queue order by t.queue limit 1) from q where q.queue is not null
)
select q.queue, (
  select t.due_at from andon_timers t where t.queue >= q.queue and t.queue <= q.queue order by t.queue, t.due_at, t.pos limit 1
) as due
from q where q.queue is not null;

-- timers-leave (SQLite)
delete from andon_timers where pos in (select value from json_each(@positions));

-- timers-leave (PostgreSQL)
delete from andon_timers where pos = any(@positions::bigint[]);
