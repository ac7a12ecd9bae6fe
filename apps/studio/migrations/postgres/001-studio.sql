-- Tasks with their times, images and logs. The same names and columns stand in ../sqlite/001-studio.sql.

-- A task beside its job in the engine, which has the same id. type and state change in the transaction of the job: type is its stage,
-- state is open until the task fails, completes or is cancelled. scheduled_time is also here, so that one index serves a page of a tab.
create table task (
  task_id text primary key,
  tenant_id text not null,
  organization_id text,
  user_id text not null,
  title text not null,
  prompt text,
  script text,
  language text not null,
  image_source text not null,
  speech bigint not null,
  priority bigint not null,
  type text not null,
  state text not null,
  retry_count bigint not null,
  max_retries bigint not null,
  elapsed_time bigint,
  images_changed bigint not null,
  scheduled_time bigint not null,
  created_at bigint not null
);
create index task_tab on task (state, type, scheduled_time, task_id);
create index task_tenant_tab on task (tenant_id, state, type, scheduled_time, task_id);
create index task_time on task (scheduled_time, task_id);

-- When a task is to start.
create table task_schedule (
  task_id text primary key,
  scheduled_time bigint not null
);

-- Images in the order they came. file: the key in the object store; null until a URL is fetched.
create table task_image (
  task_id text not null,
  number bigint not null,
  source text not null,
  name text not null,
  url text,
  file text,
  mime_type text,
  size bigint,
  created_at bigint not null,
  primary key (task_id, number)
);

create table task_log (
  task_id text not null,
  id text not null,
  at bigint not null,
  type text,
  level text not null,
  message text not null,
  primary key (task_id, id)
);

-- One row per task, with the type of its present phase and how it stands in it.
create view task_queue as
select
  t.task_id,
  t.type,
  case
    when t.state <> 'open' then t.state
    when s.job_state = 'running' then 'processing'
    else 'waiting'
  end as status,
  t.user_id,
  t.priority,
  to_char(to_timestamp(t.created_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
  case
    when t.state <> 'open' then to_char(to_timestamp(s.started_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    when s.job_state = 'running' then to_char(to_timestamp(s.running_since / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  end as started_at,
  case when t.state <> 'open' then to_char(to_timestamp(s.finished_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as completed_at,
  t.elapsed_time,
  t.retry_count,
  t.max_retries,
  case when t.state = 'failed' then s.error_message end as error,
  case
    when s.result is null then coalesce(s.outputs, '{}')
    else (coalesce(s.outputs, '{}')::jsonb || jsonb_build_object(t.type, s.result::jsonb))::text
  end as metadata,
  coalesce((
    select json_agg(json_build_object('at', to_char(to_timestamp(l.at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'type', l.type, 'level', l.level, 'message', l.message) order by l.id)::text
    from task_log l where l.task_id = t.task_id
  ), '[]') as logs
from task t join andon_job_states s on s.id = t.task_id;
