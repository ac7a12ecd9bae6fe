-- The seeds' names for the one jobs table: a success counts no retries, and values have the seeds' types.
-- The same names and columns stand in ../postgres/002-seed-views.sql. Text is what SQLite keeps JSON in, so sync_events is as it was.

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
  json_extract(payload, '$.fileId') as file_id,
  json_extract(payload, '$.folderId') as folder_id,
  name as operation_type,
  seq,
  payload as metadata,
  case job_state
    when 'running' then 'PROCESSING' when 'done' then 'DONE' when 'failed' then 'FAILED'
    when 'skipped' then 'SKIPPED' when 'resolved' then 'SKIPPED' when 'cancelled' then 'CANCELLED' else 'PENDING'
  end as status,
  case job_state when 'done' then 0 else attempts end as retry_count,
  (select max_retries from vault_sync_rules where queue = 'nas-sync') as max_retries,
  error_message,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') as created_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000.0, 'unixepoch') as started_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', finished_at / 1000.0, 'unixepoch') as completed_at
from andon_job_states where queue = 'nas-sync';
