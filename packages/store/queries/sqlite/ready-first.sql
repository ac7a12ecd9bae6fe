select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s
where s.pos = (select pos from andon_ready where queue = @queue order by rank, pos limit 1);
