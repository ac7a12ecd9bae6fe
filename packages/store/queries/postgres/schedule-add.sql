insert into andon_schedules (id, name, queue, cron, time_zone, missed, payload, lane_keys, priority, tenant, job_name, is_active,
  next_at, last_due_at, created_at, updated_at)
values
  (@id, @name, @queue, @cron, @timeZone, @missed, @payload, @keys, @priority, @tenant, @jobName, @isActive, @nextAt,
   @lastDueAt, @createdAt, @updatedAt)
on conflict do nothing;
