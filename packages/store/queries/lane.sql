-- lane-admitted
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s
where s.pos = (select pos from andon_lane_jobs where queue = @queue and lane_key = @key and seq = @seq);

-- lane-ensure
insert into andon_lanes (queue, lane_key) values (@queue, @key)
on conflict (queue, lane_key) do update set depth = andon_lanes.depth;

-- lane-jobs-delete (SQLite)
delete from andon_lane_jobs where queue = @queue and pos in (select value from json_each(@positions));

-- lane-jobs-delete (PostgreSQL)
delete from andon_lane_jobs where queue = @queue and pos = any(@positions::bigint[]);

-- lane-jobs-first (SQLite)
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence, (
  select m.seq from andon_lane_jobs m where m.pos = s.pos and m.queue || '' = @queue and m.lane_key || '' = @key
) as place
from andon_job_states s
where s.pos in (select o.pos from andon_lane_jobs o where (queue, lane_key) >= (@queue, @key) and (queue, lane_key) <= (@queue, @key)
  and (@isOpenOnly = 0 or (select j.state from andon_jobs j where j.pos = o.pos) = 'open') order by queue, lane_key, seq limit @most);

-- lane-jobs-first (PostgreSQL)
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence, (
  select m.seq from andon_lane_jobs m where m.pos = s.pos and m.queue || '' = @queue and m.lane_key || '' = @key
) as place
from andon_job_states s
where s.pos = any(array(select o.pos from andon_lane_jobs o where (queue, lane_key) >= (@queue, @key) and (queue, lane_key) <= (@queue, @key)
  and (@isOpenOnly = 0 or (select j.state from andon_jobs j where j.pos = o.pos) = 'open') order by queue, lane_key, seq limit @most));

-- lane-jobs-in-range
select count(distinct pos + 0) as jobs from andon_lane_jobs
where queue = @queue and lane_key >= @from and lane_key < @to;

-- lane-jobs-last (SQLite)
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence, (
  select m.seq from andon_lane_jobs m where m.pos = s.pos and m.queue || '' = @queue and m.lane_key || '' = @key
) as place
from andon_job_states s
where s.pos in (select o.pos from andon_lane_jobs o where (queue, lane_key) >= (@queue, @key) and (queue, lane_key) <= (@queue, @key)
  and (@isOpenOnly = 0 or (select j.state from andon_jobs j where j.pos = o.pos) = 'open') order by queue desc, lane_key desc, seq desc limit @most);

-- lane-jobs-last (PostgreSQL)
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence, (
  select m.seq from andon_lane_jobs m where m.pos = s.pos and m.queue || '' = @queue and m.lane_key || '' = @key
) as place
from andon_job_states s
where s.pos = any(array(select o.pos from andon_lane_jobs o where (queue, lane_key) >= (@queue, @key) and (queue, lane_key) <= (@queue, @key)
  and (@isOpenOnly = 0 or (select j.state from andon_jobs j where j.pos = o.pos) = 'open') order by queue desc, lane_key desc, seq desc limit @most));

-- lane-leave (SQLite)
delete from andon_lane_jobs where pos in (select value from json_each(@positions)) returning lane_key;

-- lane-leave (PostgreSQL)
delete from andon_lane_jobs where pos = any(@positions::bigint[]) returning lane_key;

-- lane-membership (SQLite)
select pos, lane_key, seq from andon_lane_jobs where pos in (select value from json_each(@positions));

-- lane-membership (PostgreSQL)
select pos, lane_key, seq from andon_lane_jobs where pos = any(@positions::bigint[]);

-- lane-positions
select seq, pos from andon_lane_jobs
where queue = @queue and lane_key = @key and seq > @after order by seq limit @most;

-- lane-read
select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id from andon_lanes l where queue = @queue and lane_key = @key;

-- lane-shrink (SQLite)
update andon_lanes set depth = depth - @gone where queue = @queue and lane_key in (select value from json_each(@keys));

-- lane-shrink (PostgreSQL)
update andon_lanes set depth = depth - @gone where queue = @queue and lane_key = any(@keys::text[]);

-- lane-waiting (SQLite)
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s
where s.pos in (select pos from andon_lane_jobs where (queue, lane_key) >= (@queue, @key) and (queue, lane_key) <= (@queue, @key) order by queue, lane_key, seq limit @most + 1)
  and s.job_state in ('ready', 'blocked', 'scheduled')
order by (select m.seq from andon_lane_jobs m where m.pos = s.pos and m.queue || '' = @queue and m.lane_key || '' = @key) limit @most;

-- lane-waiting (PostgreSQL)
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s
where s.pos = any(array(select pos from andon_lane_jobs where (queue, lane_key) >= (@queue, @key) and (queue, lane_key) <= (@queue, @key) order by queue, lane_key, seq limit @most + 1))
  and s.job_state in ('ready', 'blocked', 'scheduled')
order by (select m.seq from andon_lane_jobs m where m.pos = s.pos and m.queue || '' = @queue and m.lane_key || '' = @key) limit @most;

-- lanes-admit (SQLite)
update andon_jobs set waits = waits - @lanes where pos in (select value from json_each(@positions)) returning pos, waits;

-- lanes-admit (PostgreSQL)
update andon_jobs set waits = waits - @lanes where pos = any(@positions::bigint[]) returning pos, waits;

-- lanes-advance (SQLite)
update andon_lanes set head_seq = (select m.seq from andon_lane_jobs m where m.queue = andon_lanes.queue and m.lane_key = andon_lanes.lane_key order by m.seq limit 1)
where queue = @queue and lane_key in (select value from json_each(@keys));

-- lanes-advance (PostgreSQL)
update andon_lanes set head_seq = (select m.seq from andon_lane_jobs m where m.queue = andon_lanes.queue and m.lane_key = andon_lanes.lane_key order by m.seq limit 1)
where queue = @queue and lane_key = any(@keys::text[]);

-- lanes-by-key (SQLite)
select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id, (
  select r.pos from andon_running r where r.queue = l.queue and r.pos = (
    select j.pos from andon_lane_jobs j where j.queue = l.queue and j.lane_key = l.lane_key and j.seq = l.head_seq
  )
) as running
from andon_lanes l where l.queue = @queue and l.lane_key in (select value from json_each(@keys));

-- lanes-by-key (PostgreSQL)
select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id, (
  select r.pos from andon_running r where r.queue = l.queue and r.pos = (
    select j.pos from andon_lane_jobs j where j.queue = l.queue and j.lane_key = l.lane_key and j.seq = l.head_seq
  )
) as running
from andon_lanes l where l.queue = @queue and l.lane_key = any(@keys::text[]);

-- lanes-clear-head (SQLite)
update andon_lanes set head_seq = 0 where queue = @queue and lane_key in (select value from json_each(@keys));

-- lanes-clear-head (PostgreSQL)
update andon_lanes set head_seq = 0 where queue = @queue and lane_key = any(@keys::text[]);

-- lanes-count
select count(*) as lanes from (
  select 1 from andon_lanes where queue = @queue and lane_key >= @from and lane_key < @to limit @most
) l;

-- lanes-count-gone (SQLite)
update andon_lanes set gone = gone + @places where queue = @queue and lane_key in (select value from json_each(@keys));

-- lanes-count-gone (PostgreSQL)
update andon_lanes set gone = gone + @places where queue = @queue and lane_key = any(@keys::text[]);

-- lanes-drop-emptied (SQLite)
delete from andon_lanes where queue = @queue and lane_key in (select value from json_each(@keys))
and depth = 0 and held_at is null and gone + @places = next_seq returning lane_key;

-- lanes-drop-emptied (PostgreSQL)
delete from andon_lanes where queue = @queue and lane_key = any(@keys::text[])
and depth = 0 and held_at is null and gone + @places = next_seq returning lane_key;

-- lanes-earlier-1 (SQLite)
select cast(@job0 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys0))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from0 and lane_key < @to0
  ) o
  where o.pos < (select pos from andon_jobs where id = @job0) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
);

-- lanes-earlier-1 (PostgreSQL)
select cast(@job0 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys0::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from0 and lane_key < @to0
  ) o
  where o.pos < (select pos from andon_jobs where id = @job0) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
);

-- lanes-earlier-16 (SQLite)
select cast(@job0 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys0))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from0 and lane_key < @to0
  ) o
  where o.pos < (select pos from andon_jobs where id = @job0) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job1 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys1))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from1 and lane_key < @to1
  ) o
  where o.pos < (select pos from andon_jobs where id = @job1) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job2 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys2))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from2 and lane_key < @to2
  ) o
  where o.pos < (select pos from andon_jobs where id = @job2) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job3 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys3))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from3 and lane_key < @to3
  ) o
  where o.pos < (select pos from andon_jobs where id = @job3) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job4 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys4))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from4 and lane_key < @to4
  ) o
  where o.pos < (select pos from andon_jobs where id = @job4) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job5 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys5))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from5 and lane_key < @to5
  ) o
  where o.pos < (select pos from andon_jobs where id = @job5) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job6 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys6))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from6 and lane_key < @to6
  ) o
  where o.pos < (select pos from andon_jobs where id = @job6) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job7 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys7))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from7 and lane_key < @to7
  ) o
  where o.pos < (select pos from andon_jobs where id = @job7) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job8 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys8))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from8 and lane_key < @to8
  ) o
  where o.pos < (select pos from andon_jobs where id = @job8) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job9 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys9))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from9 and lane_key < @to9
  ) o
  where o.pos < (select pos from andon_jobs where id = @job9) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job10 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys10))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from10 and lane_key < @to10
  ) o
  where o.pos < (select pos from andon_jobs where id = @job10) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job11 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys11))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from11 and lane_key < @to11
  ) o
  where o.pos < (select pos from andon_jobs where id = @job11) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job12 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys12))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from12 and lane_key < @to12
  ) o
  where o.pos < (select pos from andon_jobs where id = @job12) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job13 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys13))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from13 and lane_key < @to13
  ) o
  where o.pos < (select pos from andon_jobs where id = @job13) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job14 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys14))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from14 and lane_key < @to14
  ) o
  where o.pos < (select pos from andon_jobs where id = @job14) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job15 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys15))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from15 and lane_key < @to15
  ) o
  where o.pos < (select pos from andon_jobs where id = @job15) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
);

-- lanes-earlier-16 (PostgreSQL)
select cast(@job0 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys0::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from0 and lane_key < @to0
  ) o
  where o.pos < (select pos from andon_jobs where id = @job0) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job1 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys1::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from1 and lane_key < @to1
  ) o
  where o.pos < (select pos from andon_jobs where id = @job1) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job2 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys2::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from2 and lane_key < @to2
  ) o
  where o.pos < (select pos from andon_jobs where id = @job2) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job3 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys3::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from3 and lane_key < @to3
  ) o
  where o.pos < (select pos from andon_jobs where id = @job3) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job4 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys4::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from4 and lane_key < @to4
  ) o
  where o.pos < (select pos from andon_jobs where id = @job4) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job5 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys5::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from5 and lane_key < @to5
  ) o
  where o.pos < (select pos from andon_jobs where id = @job5) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job6 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys6::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from6 and lane_key < @to6
  ) o
  where o.pos < (select pos from andon_jobs where id = @job6) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job7 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys7::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from7 and lane_key < @to7
  ) o
  where o.pos < (select pos from andon_jobs where id = @job7) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job8 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys8::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from8 and lane_key < @to8
  ) o
  where o.pos < (select pos from andon_jobs where id = @job8) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job9 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys9::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from9 and lane_key < @to9
  ) o
  where o.pos < (select pos from andon_jobs where id = @job9) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job10 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys10::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from10 and lane_key < @to10
  ) o
  where o.pos < (select pos from andon_jobs where id = @job10) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job11 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys11::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from11 and lane_key < @to11
  ) o
  where o.pos < (select pos from andon_jobs where id = @job11) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job12 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys12::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from12 and lane_key < @to12
  ) o
  where o.pos < (select pos from andon_jobs where id = @job12) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job13 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys13::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from13 and lane_key < @to13
  ) o
  where o.pos < (select pos from andon_jobs where id = @job13) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job14 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys14::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from14 and lane_key < @to14
  ) o
  where o.pos < (select pos from andon_jobs where id = @job14) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job15 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys15::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from15 and lane_key < @to15
  ) o
  where o.pos < (select pos from andon_jobs where id = @job15) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
);

-- lanes-earlier-4 (SQLite)
select cast(@job0 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys0))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from0 and lane_key < @to0
  ) o
  where o.pos < (select pos from andon_jobs where id = @job0) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job1 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys1))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from1 and lane_key < @to1
  ) o
  where o.pos < (select pos from andon_jobs where id = @job1) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job2 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys2))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from2 and lane_key < @to2
  ) o
  where o.pos < (select pos from andon_jobs where id = @job2) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job3 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key in (select value from json_each(@keys3))
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from3 and lane_key < @to3
  ) o
  where o.pos < (select pos from andon_jobs where id = @job3) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
);

-- lanes-earlier-4 (PostgreSQL)
select cast(@job0 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys0::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from0 and lane_key < @to0
  ) o
  where o.pos < (select pos from andon_jobs where id = @job0) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job1 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys1::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from1 and lane_key < @to1
  ) o
  where o.pos < (select pos from andon_jobs where id = @job1) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job2 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys2::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from2 and lane_key < @to2
  ) o
  where o.pos < (select pos from andon_jobs where id = @job2) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
)
union all
select cast(@job3 as text) as id where exists (
  select 1 from (
    select pos + 0 as pos from andon_lane_jobs where queue = @queue and lane_key = any(@keys3::text[])
    union all
    select pos + 0 from andon_lane_jobs where queue = @queue and lane_key >= @from3 and lane_key < @to3
  ) o
  where o.pos < (select pos from andon_jobs where id = @job3) and (
    select max((select h.held_at from andon_lanes h where h.queue = p.queue and h.lane_key = p.lane_key))
    from andon_lane_jobs p where p.pos = o.pos
  ) is null
);

-- lanes-first (SQLite)
select l.lane_key, (select m.seq from andon_lane_jobs m where m.queue = l.queue and m.lane_key = l.lane_key order by m.seq limit 1) as seq, (select m.pos from andon_lane_jobs m where m.queue = l.queue and m.lane_key = l.lane_key order by m.seq limit 1) as pos, (select m.lanes from andon_lane_jobs m where m.queue = l.queue and m.lane_key = l.lane_key order by m.seq limit 1) as lanes
from andon_lanes l where l.queue = @queue and l.lane_key in (select value from json_each(@keys));

-- lanes-first (PostgreSQL)
select l.lane_key, (select m.seq from andon_lane_jobs m where m.queue = l.queue and m.lane_key = l.lane_key order by m.seq limit 1) as seq, (select m.pos from andon_lane_jobs m where m.queue = l.queue and m.lane_key = l.lane_key order by m.seq limit 1) as pos, (select m.lanes from andon_lane_jobs m where m.queue = l.queue and m.lane_key = l.lane_key order by m.seq limit 1) as lanes
from andon_lanes l where l.queue = @queue and l.lane_key = any(@keys::text[]);

-- lanes-held
select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id from andon_lanes l where queue = @queue and held_at is not null
  and (lane_key || '') >= @from and (lane_key || '') < @to
order by held_at, lane_key limit @limit offset @offset;

-- lanes-held-by-failure (SQLite)
select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id from andon_lanes l
where queue = @queue and lane_key in (select value from json_each(@keys)) and held_kind = 'failure';

-- lanes-held-by-failure (PostgreSQL)
select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id from andon_lanes l
where queue = @queue and lane_key = any(@keys::text[]) and held_kind = 'failure';

-- lanes-held-by-job
select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id from andon_lanes l where l.queue = @queue and l.held_at is not null
and (
  select 1 from andon_jobs j where j.id = l.held_job_id and j.state = 'failed'
  and (cast(@tenant as text) is null or j.tenant = @tenant)
  and (cast(@organization as text) is null or j.organization = @organization)
  and (cast(@from as text) is null or case when j.tenant = 'default'
    then l.lane_key >= @from and l.lane_key < @to else substr(l.lane_key, length(j.tenant) + 3) >= @fromKey and substr(l.lane_key, length(j.tenant) + 3) < @toKey end)
) = 1 order by l.queue, l.held_at, l.lane_key limit @limit offset @offset;

-- lanes-held-by-job-count
select count(*) as lanes from (select 1 from andon_lanes l where l.queue = @queue and l.held_at is not null
and (
  select 1 from andon_jobs j where j.id = l.held_job_id and j.state = 'failed'
  and (cast(@tenant as text) is null or j.tenant = @tenant)
  and (cast(@organization as text) is null or j.organization = @organization)
  and (cast(@from as text) is null or case when j.tenant = 'default'
    then l.lane_key >= @from and l.lane_key < @to else substr(l.lane_key, length(j.tenant) + 3) >= @fromKey and substr(l.lane_key, length(j.tenant) + 3) < @toKey end)
) = 1 limit @most) held;

-- lanes-held-count
select count(*) as lanes from (
  select 1 from andon_lanes where queue = @queue and held_at is not null
    and (lane_key || '') >= @from and (lane_key || '') < @to limit @most
) l;

-- lanes-hold (SQLite)
update andon_lanes set held_at = @at, held_kind = @kind, held_by = @by, held_reason = @reason, held_job_id = @jobId
where queue = @queue and lane_key in (select value from json_each(@keys));

-- lanes-hold (PostgreSQL)
update andon_lanes set held_at = @at, held_kind = @kind, held_by = @by, held_reason = @reason, held_job_id = @jobId
where queue = @queue and lane_key = any(@keys::text[]);

-- lanes-lock (SQLite)
select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id from andon_lanes l where queue = @queue and lane_key in (select value from json_each(@keys))
order by lane_key || '';

-- lanes-lock (PostgreSQL)
select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id from andon_lanes l where queue = @queue and lane_key = any(@keys::text[])
order by lane_key || '' for update;

-- lanes-lock-heads (SQLite)
select pos from andon_jobs where pos in (select value from json_each(@positions)) order by pos + 0;

-- lanes-lock-heads (PostgreSQL)
select pos from andon_jobs where pos = any(@positions::bigint[]) order by pos + 0 for update;

-- lanes-next
select lane_key from andon_lanes where queue = @queue and lane_key > @after and lane_key < @to
order by lane_key limit 1;

-- lanes-not-held (SQLite)
select count(*) as lanes from andon_lanes where queue = @queue and lane_key in (select value from json_each(@keys)) and held_at is null;

-- lanes-not-held (PostgreSQL)
select count(*) as lanes from andon_lanes where queue = @queue and lane_key = any(@keys::text[]) and held_at is null;

-- lanes-of-job (SQLite)
select l.*,
  (select count(*) from (
    select 1 from andon_lane_jobs a where a.queue = l.queue and a.lane_key = l.lane_key and a.seq < l.seq limit 1000
  ) ahead) as ahead,
  (select b.pos from andon_lane_jobs b where b.queue = l.queue and b.lane_key = l.lane_key order by b.seq limit 1) as head_pos
from (
  select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id,
    (select m.seq from andon_lane_jobs m where m.pos = @pos and m.lane_key || '' = l.lane_key) as seq
  from andon_lanes l
  where l.queue = (select queue from andon_jobs where pos = @pos)
    and l.lane_key in (select lane_key from andon_lane_jobs where pos = @pos)
) l
order by l.lane_key || '';

-- lanes-of-job (PostgreSQL)
select l.*,
  (select count(*) from (
    select 1 from andon_lane_jobs a where a.queue = l.queue and a.lane_key = l.lane_key and a.seq < l.seq limit 1000
  ) ahead) as ahead,
  (select b.pos from andon_lane_jobs b where b.queue = l.queue and b.lane_key = l.lane_key order by b.seq limit 1) as head_pos
from (
  select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id,
    (select m.seq from andon_lane_jobs m where m.pos = @pos and m.lane_key || '' = l.lane_key) as seq
  from andon_lanes l
  where l.queue = (select queue from andon_jobs where pos = @pos)
    and l.lane_key = any(array(select lane_key from andon_lane_jobs where pos = @pos))
) l
order by l.lane_key || '';

-- lanes-page
select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id from andon_lanes l where queue = @queue and lane_key >= @from and lane_key < @to order by lane_key limit @limit offset @offset;

-- lanes-release (SQLite)
update andon_lanes set held_at = null, held_kind = null, held_by = null, held_reason = null, held_job_id = null
where queue = @queue and lane_key in (select value from json_each(@keys)) and held_at is not null;

-- lanes-release (PostgreSQL)
update andon_lanes set held_at = null, held_kind = null, held_by = null, held_reason = null, held_job_id = null
where queue = @queue and lane_key = any(@keys::text[]) and held_at is not null;

-- lanes-unadmit (SQLite)
update andon_jobs set waits = waits + @lanes where pos in (select m.pos from andon_lane_jobs m where m.pos in (select value from json_each(@positions)) and m.lanes > 1);

-- lanes-unadmit (PostgreSQL)
update andon_jobs set waits = waits + @lanes where pos = any(array(select m.pos from andon_lane_jobs m where m.pos = any(@positions::bigint[]) and m.lanes > 1));
