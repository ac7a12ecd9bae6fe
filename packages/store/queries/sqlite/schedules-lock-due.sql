select id, name, queue, cron, time_zone, missed, payload, lane_keys, priority, tenant, job_name, is_active,
  next_at, last_due_at, created_at, updated_at from andon_schedules
where next_at <= @now and (next_at, id) > (@afterAt, @afterId)
order by next_at, id limit @most;
