update andon_schedules set queue = @queue, cron = @cron, time_zone = @timeZone, missed = @missed,
  payload = @payload, lane_keys = @keys, priority = @priority, tenant = @tenant, job_name = @jobName,
  is_active = @isActive, next_at = @nextAt, last_due_at = @lastDueAt, updated_at = @updatedAt
where id = @id;
