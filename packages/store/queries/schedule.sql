-- schedule-add
insert into andon_schedules (id, name, queue, cron, time_zone, missed, payload, lane_keys, priority, tenant, organization, job_name, is_active,
  next_at, last_due_at, created_at, updated_at)
values
  (@id, @name, @queue, @cron, @timeZone, @missed, @payload, @keys, @priority, @tenant, @organization, @jobName, @isActive, @nextAt,
   @lastDueAt, @createdAt, @updatedAt)
on conflict do nothing;

-- schedule-drop
delete from andon_schedules where id = @id;

-- schedule-lock (SQLite)
select id, name, queue, cron, time_zone, missed, payload, lane_keys, priority, tenant, organization, job_name, is_active,
  next_at, last_due_at, created_at, updated_at from andon_schedules where name = @name;

-- schedule-lock (PostgreSQL)
select id, name, queue, cron, time_zone, missed, payload, lane_keys, priority, tenant, organization, job_name, is_active,
  next_at, last_due_at, created_at, updated_at from andon_schedules where name = @name for update;

-- schedule-read
select id, name, queue, cron, time_zone, missed, payload, lane_keys, priority, tenant, organization, job_name, is_active,
  next_at, last_due_at, created_at, updated_at from andon_schedules where name = @name;

-- schedule-save
update andon_schedules set queue = @queue, cron = @cron, time_zone = @timeZone, missed = @missed,
  payload = @payload, lane_keys = @keys, priority = @priority, tenant = @tenant, organization = @organization, job_name = @jobName,
  is_active = @isActive, next_at = @nextAt, last_due_at = @lastDueAt, updated_at = @updatedAt
where id = @id;

-- schedules-count
select count(*) as total from (select 1 from andon_schedules limit 10001) s;

-- schedules-lock-due (SQLite)
select id, name, queue, cron, time_zone, missed, payload, lane_keys, priority, tenant, organization, job_name, is_active,
  next_at, last_due_at, created_at, updated_at from andon_schedules
where next_at <= @now and (next_at, id) > (@afterAt, @afterId)
order by next_at, id limit @most;

-- schedules-lock-due (PostgreSQL)
select id, name, queue, cron, time_zone, missed, payload, lane_keys, priority, tenant, organization, job_name, is_active,
  next_at, last_due_at, created_at, updated_at from andon_schedules
where next_at <= @now and (next_at, id) > (@afterAt, @afterId)
order by next_at, id limit @most for update skip locked;

-- schedules-next
select min(next_at) as next from andon_schedules where next_at > @after;

-- schedules-page
select id, name, queue, cron, time_zone, missed, payload, lane_keys, priority, tenant, organization, job_name, is_active,
  next_at, last_due_at, created_at, updated_at from andon_schedules order by name limit @limit offset @offset;
