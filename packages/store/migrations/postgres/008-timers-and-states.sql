-- Timers of a queue in the order in which promotion takes them; the first of each queue is found without the others.
create index andon_timers_line on andon_timers (queue, due_at, pos);
drop index andon_timers_due;
-- Among indexes that look alike to the planner, as all do while a table is empty, it takes the youngest: of those that hold `pos`
-- this is to be the one that begins with it.
alter table andon_timers drop constraint andon_timers_pkey, add primary key (pos);
alter table andon_aside drop constraint andon_aside_pkey, add primary key (pos);

-- Promotion empties the table from the front: what it deleted is stepped over until a vacuum.
alter table andon_timers set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 20000);

-- The state of each job, as before. Its places are looked up row by row: as joins they might be planned while the tables were
-- empty, to be read whole for every job, and such a plan stays until statistics are made anew. `offset 0` keeps them apart.
drop view andon_job_states;
create view andon_job_states as
select
  j.*,
  case
    when j.state <> 'open' then j.state
    when r.pos is not null then 'running'
    when t.pos is not null then 'scheduled'
    when w.pos is not null then 'ready'
    else 'blocked'
  end as job_state,
  r.worker as running_worker,
  r.started_at as running_since,
  r.fence as running_fence,
  t.due_at as due_at
from andon_jobs j
left join lateral (
  select x.pos, x.worker, x.started_at, x.fence from andon_running x where x.queue = j.queue and x.pos = j.pos offset 0
) r on true
left join lateral (select x.pos, x.due_at from andon_timers x where x.pos = j.pos offset 0) t on true
left join lateral (
  select x.pos from andon_ready x where x.queue = j.queue and x.rank = j.rank and x.pos = j.pos offset 0
) w on true;
