select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
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
      case when j.state = 'open' then (select r.fence from andon_running r where r.queue = j.queue and r.pos = j.pos) end as running_fence, case when j.state = 'open' then (select t.due_at from andon_timers t where t.pos = j.pos) end as due_at,
      case when j.state = 'open' then (select w.pos from andon_ready w where w.queue = j.queue and w.rank = j.rank and w.pos = j.pos) end as in_line
    from andon_jobs j where j.pos in (select value from json_each(@positions))
  ) p
) s;
