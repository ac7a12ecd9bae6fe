-- The seeds' names for the one jobs table: a success counts no retries, and values have the seeds' types.
-- The same names and columns stand in ../sqlite/002-seed-views.sql.

-- What the views tell of the queue's rules, which are settings: the vault writes them as it starts.
create table vault_sync_rules (
  queue text primary key,
  max_retries integer not null
);
insert into vault_sync_rules (queue, max_retries) values ('nas-sync', 5);

drop view file_sync_queue;
create view file_sync_queue as
select
  id,
  payload::json ->> 'fileId' as file_id,
  payload::json ->> 'folderId' as folder_id,
  name as operation_type,
  seq::integer as seq,
  payload::jsonb as metadata,
  case job_state
    when 'running' then 'PROCESSING' when 'done' then 'DONE' when 'failed' then 'FAILED'
    when 'skipped' then 'SKIPPED' when 'resolved' then 'SKIPPED' when 'cancelled' then 'CANCELLED' else 'PENDING'
  end as status,
  case job_state when 'done' then 0 else attempts end as retry_count,
  (select max_retries from vault_sync_rules where queue = 'nas-sync') as max_retries,
  error_message,
  to_timestamp(created_at / 1000.0) as created_at,
  to_timestamp(started_at / 1000.0) as started_at,
  to_timestamp(finished_at / 1000.0) as completed_at
from andon_job_states where queue = 'nas-sync';

drop view sync_events;
create view sync_events as
select
  id,
  'FILE' as aggregate_type,
  payload::json ->> 'fileId' as aggregate_id,
  'NAS_SYNC_' || name as event_type,
  payload::jsonb as payload,
  case job_state
    when 'running' then 'PROCESSING' when 'done' then 'DONE' when 'failed' then 'FAILED'
    when 'skipped' then 'MANUALLY_RESOLVED' when 'resolved' then 'MANUALLY_RESOLVED'
    when 'cancelled' then 'MANUALLY_RESOLVED' else 'PENDING'
  end as status,
  attempts as attempt_count,
  error_message as last_error,
  to_timestamp(created_at / 1000.0) as created_at,
  to_timestamp(finished_at / 1000.0) as processed_at,
  resolved_by,
  to_timestamp(resolved_at / 1000.0) as resolved_at,
  resolution_note
from andon_job_states where queue = 'nas-sync';
