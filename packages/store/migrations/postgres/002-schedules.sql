-- Schedules: jobs that are added by the clock. next_at is null while a schedule is not active.
create table andon_schedules (
  id text primary key,
  name text collate "C" not null unique,
  queue text collate "C" not null,
  cron text not null,
  time_zone text not null,
  missed text not null,
  payload text not null,
  lane_keys text not null,
  priority integer not null,
  tenant text not null,
  job_name text not null,
  is_active integer not null,
  next_at bigint,
  last_due_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create index andon_schedules_next on andon_schedules (next_at) where next_at is not null;
