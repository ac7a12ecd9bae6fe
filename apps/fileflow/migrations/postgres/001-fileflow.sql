-- Executions, their stages, extractions, schedules and dead letters. The same names and columns stand in ../sqlite/001-fileflow.sql.

-- Idempotency keys of events. They outlive the executions that they made: an old event that comes again makes nothing.
create table fileflow_keys (
  tenant_id text not null,
  idempotency_key text collate "C" not null,
  execution_id text not null,
  organization_id text not null,
  size bigint,
  mime_type text,
  created_at bigint not null,
  primary key (tenant_id, idempotency_key)
);

-- An execution beside its job in the engine, which has the same id. ended_status is null until it has ended; stages_done counts the
-- stages that it has behind it.
create table fileflow_executions (
  id text primary key,
  tenant_id text not null,
  organization_id text not null,
  file_id text not null,
  pipeline_code text not null,
  trigger_type text not null,
  idempotency_key text not null,
  bucket text,
  object_key text,
  size bigint,
  mime_type text,
  version_id text,
  e_tag text,
  trace_id text not null,
  uploader text,
  priority bigint not null,
  occurred_at bigint,
  schedule_id text,
  retry_of text,
  retried_as text,
  retries bigint not null default 0,
  file_deleted bigint not null default 0,
  stages_done bigint not null default 0,
  cancel_requested_at bigint,
  ended_status text,
  error_code text,
  started_at bigint,
  completed_at bigint,
  created_at bigint not null
);
create index fileflow_executions_tenant on fileflow_executions (tenant_id, organization_id, id);
create index fileflow_executions_open on fileflow_executions (id) where ended_status is null;
create index fileflow_executions_ended on fileflow_executions (ended_status, id) where ended_status is not null;
create index fileflow_executions_file on fileflow_executions (tenant_id, file_id);
create index fileflow_executions_schedule on fileflow_executions (schedule_id, id) where schedule_id is not null;

-- Stages that an execution has behind it. log: its entries as JSON, or log_ref where they are too long for a row.
create table fileflow_stages (
  execution_id text not null,
  number bigint not null,
  name text not null,
  status text not null,
  attempts bigint not null,
  started_at bigint not null,
  completed_at bigint not null,
  output text,
  output_ref text,
  reason text,
  log text,
  log_ref text,
  primary key (execution_id, number)
);

-- What the built-in receiver has of the extraction events, one row per key.
create table fileflow_extractions (
  id text primary key,
  execution_id text not null,
  tenant_id text not null,
  organization_id text not null,
  file_id text not null,
  stage text not null,
  extraction_type text not null,
  method text not null,
  confidence double precision not null,
  content_ref text,
  mime_type text,
  facts text not null,
  trace_id text not null,
  published_at bigint not null,
  received_at bigint not null,
  receives bigint not null
);
create index fileflow_extractions_execution on fileflow_extractions (execution_id, id);

-- Schedules; the engine keeps their times under the name `fileflow:<id>`.
create table fileflow_schedules (
  id text primary key,
  tenant_id text not null,
  organization_id text not null,
  pipeline_code text not null,
  cron text not null,
  time_zone text not null,
  is_active bigint not null,
  missed text not null,
  overlap text not null,
  input_bucket text,
  input_prefix text,
  created_by text not null,
  created_at bigint not null
);
create index fileflow_schedules_tenant on fileflow_schedules (tenant_id, organization_id, id);

-- Messages that could not become executions. message_id: what SQS calls it; the same message is kept once.
create table fileflow_dlq (
  id text primary key,
  tenant_id text,
  organization_id text,
  source text not null,
  state text not null,
  error text not null,
  reasons text not null,
  body text not null,
  redrive_count bigint not null default 0,
  idempotency_key text,
  execution_id text,
  trace_id text,
  message_id text unique,
  received_at bigint not null
);
create index fileflow_dlq_state on fileflow_dlq (state, id);
create index fileflow_dlq_tenant on fileflow_dlq (tenant_id, organization_id, id);

create table fileflow_dlq_lineage (
  dlq_id text not null,
  number bigint not null,
  at bigint not null,
  event text not null,
  actor text not null,
  reason text,
  execution_id text,
  primary key (dlq_id, number)
);

-- Redrives of many: a plan that was frozen (PLANNED), then carried out. ids: JSON, in their order; place: how many are done.
create table fileflow_redrives (
  id text primary key,
  state text not null,
  tenant_id text,
  organization_id text,
  ids text not null,
  total bigint not null,
  place bigint not null default 0,
  redriven bigint not null default 0,
  dead_again bigint not null default 0,
  left_out bigint not null default 0,
  rate double precision not null,
  actor text not null,
  reason text,
  created_at bigint not null,
  expires_at bigint not null,
  started_at bigint,
  finished_at bigint
);

-- Counters that metrics show, by name and label.
create table fileflow_counters (
  name text not null,
  label text not null,
  value double precision not null,
  primary key (name, label)
);

-- Executions with the status that the seed calls it.
create view pipeline_executions as
select
  e.id, e.tenant_id, e.organization_id, e.file_id, e.pipeline_code, e.trigger_type, e.idempotency_key, e.trace_id, e.priority,
  case
    when e.ended_status is not null then e.ended_status
    when j.job_state in ('running', 'parked') then 'RUNNING'
    when j.job_state in ('failed') then 'FAILED'
    when j.job_state in ('cancelled', 'resolved', 'skipped') then 'CANCELLED'
    when j.job_state = 'done' then 'COMPLETED'
    when e.stages_done > 0 or j.attempts > 0 then 'RUNNING'
    else 'PENDING'
  end as status,
  coalesce(e.bucket || '/' || e.object_key, null) as input_ref,
  case when e.stages_done > 0 then 'executions/' || e.id end as output_ref,
  e.bucket, e.object_key, e.size, e.mime_type, e.version_id, e.e_tag, e.uploader as uploader_user_context_id, e.occurred_at,
  e.schedule_id, e.retry_of, e.retried_as, e.retries, e.file_deleted, e.stages_done, e.cancel_requested_at, e.ended_status,
  j.stage as job_stage, j.job_state, j.attempts as job_attempts,
  e.error_code, case when e.ended_status in ('FAILED', 'TIMEOUT') then j.error_message end as error_message,
  case when e.ended_status in ('FAILED', 'TIMEOUT') then j.error_texts end as error_texts,
  j.resolved_by, j.resolved_at, j.resolution_note,
  coalesce(e.started_at, j.running_since) as started_at, e.completed_at,
  e.completed_at - e.started_at as duration_ms, e.created_at
from fileflow_executions e join andon_job_states j on j.id = e.id;

-- Stages that executions have reached: those behind them, and the present one as the engine knows it.
create view pipeline_stages as
select s.execution_id, s.number, s.name, s.status, s.attempts, s.started_at, s.completed_at,
  s.completed_at - s.started_at as duration_ms, null as error_code, null as error_message, null as error_texts, s.output, s.output_ref, s.reason
from fileflow_stages s
union all
select e.id, e.stages_done, case when j.stage like '%:%' then split_part(j.stage, ':', 2) else j.stage end,
  case when e.ended_status in ('FAILED', 'TIMEOUT') then e.ended_status
    when j.job_state = 'running' then 'RUNNING' else 'STARTED' end,
  j.attempts + case when j.job_state = 'running' then 1 else 0 end,
  coalesce(j.stage_started_at, j.running_since), e.completed_at, e.completed_at - coalesce(j.stage_started_at, j.running_since),
  case when e.ended_status is not null then j.error_code end, case when e.ended_status is not null then j.error_message end,
  case when e.ended_status is not null then j.error_texts end, null, null, null
from fileflow_executions e join andon_job_states j on j.id = e.id
where j.stage is not null and (e.ended_status is null or e.ended_status in ('FAILED', 'TIMEOUT')) and j.cancel_actor is null;

create view pipeline_schedules as
select s.id, s.tenant_id, s.organization_id, s.pipeline_code, s.cron as cron_expression, s.time_zone, s.is_active, s.missed, s.overlap,
  s.input_bucket, s.input_prefix, n.next_at as next_execution_at, n.last_due_at as last_execution_at, s.created_by, s.created_at
from fileflow_schedules s left join andon_schedule_times n on n.name = 'fileflow:' || s.id;
