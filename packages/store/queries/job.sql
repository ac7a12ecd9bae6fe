-- job-by-id
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s where s.id = @id and (cast(@tenant as text) is null or s.tenant = @tenant)
  and (cast(@organization as text) is null or s.organization = @organization);

-- job-by-pos
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s where s.pos = @pos and (cast(@tenant as text) is null or s.tenant = @tenant)
  and (cast(@organization as text) is null or s.organization = @organization);

-- job-by-ticket
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s where s.ticket = @ticket and (cast(@tenant as text) is null or s.tenant = @tenant)
  and (cast(@organization as text) is null or s.organization = @organization)
union all
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s where s.pos = @ticket and s.ticket is null and (cast(@tenant as text) is null or s.tenant = @tenant)
  and (cast(@organization as text) is null or s.organization = @organization);

-- job-checkpoint
update andon_jobs set cursor = @cursor, progress = coalesce(@progress, progress),
  stalled = case when cursor is distinct from @cursor then 0 else stalled end
where pos = @pos and exists (
  select 1 from andon_running r
  where r.queue = (select j.queue from andon_jobs j where j.pos = @pos) and r.pos = @pos and r.fence = @fence
    and coalesce(r.cancel_at, 'boundary') = 'boundary'
);

-- job-events-delete (SQLite)
delete from andon_events where job_id in (select value from json_each(@ids)) and id < (select max(id) from andon_events);

-- job-events-delete (PostgreSQL)
delete from andon_events where job_id = any(@ids::text[]) and id < (select max(id) from andon_events);

-- job-events-empty (SQLite)
update andon_events set data = '{}' where job_id in (select value from json_each(@ids));

-- job-events-empty (PostgreSQL)
update andon_events set data = '{}' where job_id = any(@ids::text[]);

-- job-id
select id from andon_jobs where pos = @pos;

-- job-state-of
select id, job_state from andon_job_states where pos = @pos;

-- jobs-aborted
select pos from andon_ended where queue = @queue and state = 'aborted' order by at desc, pos desc limit @limit offset @offset;

-- jobs-blocked
select distinct m.pos from andon_lane_jobs m
where m.queue || '' = @queue and m.seq <> (select l.head_seq from andon_lanes l where l.queue = m.queue and l.lane_key = m.lane_key)
order by m.pos desc limit @limit offset @offset;

-- jobs-by-id (SQLite)
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s
where s.id in (select value from json_each(@ids)) and (cast(@tenant as text) is null or s.tenant = @tenant)
  and (cast(@organization as text) is null or s.organization = @organization);

-- jobs-by-id (PostgreSQL)
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s
where s.id = any(@ids::text[]) and (cast(@tenant as text) is null or s.tenant = @tenant)
  and (cast(@organization as text) is null or s.organization = @organization);

-- jobs-by-pos (SQLite)
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from (
  select p.*, case
    when p.state <> 'open' then p.state
    when p.running_fence is not null then 'running'
    when p.due_at is not null then 'scheduled'
    when p.in_line is not null then 'ready'
    else 'blocked'
  end as job_state
  from (
    select j.*, case when j.state = 'open' then (select r.worker from andon_running r where r.queue = j.queue and r.pos = j.pos) end as running_worker, case when j.state = 'open' then (select r.started_at from andon_running r where r.queue = j.queue and r.pos = j.pos) end as running_since,
      case when j.state = 'open' then (select r.fence from andon_running r where r.queue = j.queue and r.pos = j.pos) end as running_fence, case when j.state in ('open', 'parked') then (select t.due_at from andon_timers t where t.pos = j.pos) end as due_at,
      case when j.state = 'open' then (select w.pos from andon_ready w where w.queue = j.queue and w.rank = j.rank and w.pos = j.pos) end as in_line
    from andon_jobs j where j.pos in (select value from json_each(@positions))
  ) p
) s;

-- jobs-by-pos (PostgreSQL)
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from (
  select p.*, case
    when p.state <> 'open' then p.state
    when p.running_fence is not null then 'running'
    when p.due_at is not null then 'scheduled'
    when p.in_line is not null then 'ready'
    else 'blocked'
  end as job_state
  from (
    select j.*, case when j.state = 'open' then (select r.worker from andon_running r where r.queue = j.queue and r.pos = j.pos) end as running_worker, case when j.state = 'open' then (select r.started_at from andon_running r where r.queue = j.queue and r.pos = j.pos) end as running_since,
      case when j.state = 'open' then (select r.fence from andon_running r where r.queue = j.queue and r.pos = j.pos) end as running_fence, case when j.state in ('open', 'parked') then (select t.due_at from andon_timers t where t.pos = j.pos) end as due_at,
      case when j.state = 'open' then (select w.pos from andon_ready w where w.queue = j.queue and w.rank = j.rank and w.pos = j.pos) end as in_line
    from andon_jobs j where j.pos = any(@positions::bigint[])
  ) p
) s;

-- jobs-cancelled
select pos from andon_ended where queue = @queue and state = 'cancelled' order by at desc, pos desc limit @limit offset @offset;

-- jobs-confirm-advanced (SQLite)
select pos, fence from andon_stages where pos in (select value from json_each(@positions)) and status = 'completed';

-- jobs-confirm-advanced (PostgreSQL)
select pos, fence from andon_stages where pos = any(@positions::bigint[]) and status = 'completed';

-- jobs-confirm-done (SQLite)
select pos, fence from andon_jobs
where pos in (select value from json_each(@positions)) and state = 'done' and worker = @worker;

-- jobs-confirm-done (PostgreSQL)
select pos, fence from andon_jobs
where pos = any(@positions::bigint[]) and state = 'done' and worker = @worker;

-- jobs-delete (SQLite)
delete from andon_jobs where pos in (select value from json_each(@positions)) returning id, lane_keys, seq;

-- jobs-delete (PostgreSQL)
delete from andon_jobs where pos = any(@positions::bigint[]) returning id, lane_keys, seq;

-- jobs-done
select id, done, case when newer + done > @skip then finished end as finished from (
  select id, queue, done, finished, sum(done) over (order by queue desc, id desc) - done as newer from (
    select id, queue, done, finished from andon_claim_log where (queue, id) > (@queue, 0) and (queue, id) < (@queue, @before) and done > 0 order by queue desc, id desc limit @most
  ) looked
) entries where newer < @wanted order by queue desc, id desc;

-- jobs-drop (SQLite)
delete from andon_jobs where pos in (select value from json_each(@positions)) and state = @state
returning id, lane_keys, seq, stage;

-- jobs-drop (PostgreSQL)
delete from andon_jobs where pos = any(@positions::bigint[]) and state = @state
returning id, lane_keys, seq, stage;

-- jobs-failed
select pos from andon_ended where queue = @queue and state = 'failed' order by at desc, pos desc limit @limit offset @offset;

-- jobs-few-blocked
select m.pos + 0 as pos from andon_lane_jobs m
where m.queue = @queue and m.seq <> (select l.head_seq from andon_lanes l where l.queue = m.queue and l.lane_key = m.lane_key)
group by m.pos + 0 order by 1 limit @limit offset @offset;

-- jobs-first-made-from
with recursive halves(low, high) as (
  select cast(0 as bigint), cast(@end as bigint)
  union all
  select case when (select m.created_at from andon_jobs m where m.pos >= (h.low + h.high) / 2 order by m.pos limit 1) < @time then (select m.pos from andon_jobs m where m.pos >= (h.low + h.high) / 2 order by m.pos limit 1) + 1 else h.low end,
    case when (select m.created_at from andon_jobs m where m.pos >= (h.low + h.high) / 2 order by m.pos limit 1) < @time then h.high else (h.low + h.high) / 2 end
  from halves h
  where h.low < h.high and (select m.pos from andon_jobs m where m.pos >= (h.low + h.high) / 2 order by m.pos limit 1) is not null
)
select max(low) as pos from halves;

-- jobs-lane-keys (SQLite)
select distinct lane_keys from andon_jobs where pos in (select value from json_each(@positions));

-- jobs-lane-keys (PostgreSQL)
select distinct lane_keys from andon_jobs where pos = any(@positions::bigint[]);

-- jobs-lanes (SQLite)
select lane_keys, seq from andon_jobs where pos in (select value from json_each(@positions));

-- jobs-lanes (PostgreSQL)
select lane_keys, seq from andon_jobs where pos = any(@positions::bigint[]);

-- jobs-last
select coalesce(max(pos), 0) as pos from andon_jobs;

-- jobs-lock (SQLite)
select pos from andon_jobs where pos in (select value from json_each(@positions)) order by pos + 0;

-- jobs-lock (PostgreSQL)
select pos from andon_jobs where pos = any(@positions::bigint[]) order by pos + 0 for update;

-- jobs-newest-blocked
select distinct m.pos from andon_lane_jobs m
where m.queue || '' = @queue and m.seq <> (select l.head_seq from andon_lanes l where l.queue = m.queue and l.lane_key = m.lane_key)
order by m.pos desc limit @limit offset @offset;

-- jobs-newest-few-blocked
select m.pos + 0 as pos from andon_lane_jobs m
where m.queue = @queue and m.seq <> (select l.head_seq from andon_lanes l where l.queue = m.queue and l.lane_key = m.lane_key)
group by m.pos + 0 order by 1 desc limit @limit offset @offset;

-- jobs-newest-ready
select pos from andon_ready where queue = @queue order by rank desc, pos desc limit @limit offset @offset;

-- jobs-newest-running
select pos from andon_running where queue = @queue order by pos desc limit @limit offset @offset;

-- jobs-newest-scheduled
select pos from (
  select * from (
    select pos, due_at from andon_timers where (queue, kind) >= (@queue, 'later') and (queue, kind) <= (@queue, 'later') order by queue desc, kind desc, due_at desc limit @most
  ) l
  union all
  select * from (
    select pos, due_at from andon_timers where (queue, kind) >= (@queue, 'backoff') and (queue, kind) <= (@queue, 'backoff') order by queue desc, kind desc, due_at desc limit @most
  ) b
) t order by due_at desc, pos desc limit @limit offset @offset;

-- jobs-oldest-aborted
select pos from andon_ended where queue = @queue and state = 'aborted' order by at, pos limit @limit offset @offset;

-- jobs-oldest-cancelled
select pos from andon_ended where queue = @queue and state = 'cancelled' order by at, pos limit @limit offset @offset;

-- jobs-oldest-failed
select pos from andon_ended where queue = @queue and state = 'failed' order by at, pos limit @limit offset @offset;

-- jobs-oldest-parked
select pos from andon_ended where queue = @queue and state = 'parked' order by at, pos limit @limit offset @offset;

-- jobs-oldest-resolved
select pos from andon_ended where queue = @queue and state = 'resolved' order by at, pos limit @limit offset @offset;

-- jobs-oldest-skipped
select pos from andon_ended where queue = @queue and state = 'skipped' order by at, pos limit @limit offset @offset;

-- jobs-parked
select pos from andon_ended where queue = @queue and state = 'parked' order by at desc, pos desc limit @limit offset @offset;

-- jobs-planned (SQLite)
select p.pos, p.id, p.ticket, p.attempts, p.lane_keys, coalesce(p.running_fence, p.fence) as fence,
  case
    when p.state <> 'open' then p.state
    when p.running_fence is not null then 'running'
    when p.timer is not null then 'scheduled'
    when p.in_line is not null then 'ready'
    else 'blocked'
  end as job_state
from (
  select j.pos, j.id, j.ticket, j.attempts, j.lane_keys, j.fence, j.state,
    (select r.fence from andon_running r where r.queue = j.queue and r.pos = j.pos) as running_fence,
    (select t.pos from andon_timers t where t.pos = j.pos) as timer,
    (select w.pos from andon_ready w where w.queue = j.queue and w.rank = j.rank and w.pos = j.pos) as in_line
  from andon_jobs j where j.pos in (select value from json_each(@positions))
) p;

-- jobs-planned (PostgreSQL)
select p.pos, p.id, p.ticket, p.attempts, p.lane_keys, coalesce(p.running_fence, p.fence) as fence,
  case
    when p.state <> 'open' then p.state
    when p.running_fence is not null then 'running'
    when p.timer is not null then 'scheduled'
    when p.in_line is not null then 'ready'
    else 'blocked'
  end as job_state
from (
  select j.pos, j.id, j.ticket, j.attempts, j.lane_keys, j.fence, j.state,
    (select r.fence from andon_running r where r.queue = j.queue and r.pos = j.pos) as running_fence,
    (select t.pos from andon_timers t where t.pos = j.pos) as timer,
    (select w.pos from andon_ready w where w.queue = j.queue and w.rank = j.rank and w.pos = j.pos) as in_line
  from andon_jobs j where j.pos = any(@positions::bigint[])
) p;

-- jobs-ready
select pos from andon_ready where queue = @queue order by rank, pos limit @limit offset @offset;

-- jobs-resolved
select pos from andon_ended where queue = @queue and state = 'resolved' order by at desc, pos desc limit @limit offset @offset;

-- jobs-running
select pos from andon_running where queue = @queue order by pos limit @limit offset @offset;

-- jobs-scheduled
select pos from (
  select * from (
    select pos, due_at from andon_timers where (queue, kind) >= (@queue, 'later') and (queue, kind) <= (@queue, 'later') order by queue, kind, due_at limit @most
  ) l
  union all
  select * from (
    select pos, due_at from andon_timers where (queue, kind) >= (@queue, 'backoff') and (queue, kind) <= (@queue, 'backoff') order by queue, kind, due_at limit @most
  ) b
) t order by due_at, pos limit @limit offset @offset;

-- jobs-skipped
select pos from andon_ended where queue = @queue and state = 'skipped' order by at desc, pos desc limit @limit offset @offset;
