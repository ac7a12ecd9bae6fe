-- fleet-state (SQLite)
select f.*, p.worker, p.term, p.beat, r.name as ready
from (
  select 0 as now,
    exists (select 1 from andon_workers where id = @worker) as known,
    (select count(*) from (select value as name from json_each(@defined)) q where (select w.pos from andon_running w where w.queue >= q.name and w.queue <= q.name order by w.queue, w.pos limit 1) is not null) > 0 as running,
    exists (select 1 from andon_tallies where merged = 0) as tallies,
    exists (select 1 from andon_operations where finished_at is null) as operations,
    exists (select 1 from andon_queues where state = 'ramping') as ramping,
    (select min(t.due) from (with recursive q(queue) as (
  select (select t.queue from andon_timers t order by t.queue limit 1)
  union all
  select (select t.queue from andon_timers t where t.queue > q.queue order by t.queue limit 1) from q where q.queue is not null
)
select q.queue, (
  select t.due_at from andon_timers t where t.queue >= q.queue and t.queue <= q.queue order by t.queue, t.due_at, t.pos limit 1
) as due
from q where q.queue is not null) t) as next_timer,
    (select min(next_at) from andon_schedules where next_at is not null) as next_schedule,
    (select min(applies_at) from andon_decisions where state = 'pending') as next_decision
) f
left join andon_housekeepers p on p.role = @role
left join (
  select q.name from (select value as name from json_each(@worked)) q
  where (select w.pos from andon_ready w where w.queue >= q.name and w.queue <= q.name order by w.queue, w.rank limit 1) is not null
    and exists (select 1 from andon_queues s where s.name = q.name and s.state <> 'stopped')
) r on 1 = 1;

-- fleet-state (PostgreSQL)
select f.*, p.worker, p.term, p.beat, r.name as ready
from (
  select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
    exists (select 1 from andon_workers where id = @worker) as known,
    (select count(*) from (select name from unnest(@defined::text[]) as listed(name)) q where (select w.pos from andon_running w where w.queue >= q.name and w.queue <= q.name order by w.queue, w.pos limit 1) is not null) > 0 as running,
    exists (select 1 from andon_tallies where merged = 0) as tallies,
    exists (select 1 from andon_operations where finished_at is null) as operations,
    exists (select 1 from andon_queues where state = 'ramping') as ramping,
    (select min(t.due) from (with recursive q(queue) as (
  select (select t.queue from andon_timers t order by t.queue limit 1)
  union all
  select (select t.queue from andon_timers t where t.queue > q.queue order by t.queue limit 1) from q where q.queue is not null
)
select q.queue, (
  select t.due_at from andon_timers t where t.queue >= q.queue and t.queue <= q.queue order by t.queue, t.due_at, t.pos limit 1
) as due
from q where q.queue is not null) t) as next_timer,
    (select min(next_at) from andon_schedules where next_at is not null) as next_schedule,
    (select min(applies_at) from andon_decisions where state = 'pending') as next_decision
) f
left join andon_housekeepers p on p.role = @role
left join (
  select q.name from (select name from unnest(@worked::text[]) as listed(name)) q
  where (select w.pos from andon_ready w where w.queue >= q.name and w.queue <= q.name order by w.queue, w.rank limit 1) is not null
    and exists (select 1 from andon_queues s where s.name = q.name and s.state <> 'stopped')
) r on 1 = 1;
