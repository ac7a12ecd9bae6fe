insert into andon_jobs
  (pos, id, queue, name, tenant, lane_keys, seq, rank, payload, waits, run_at, created_at, trace_id, share)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14);
