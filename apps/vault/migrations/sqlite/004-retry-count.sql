-- The last failure is no retry: the count ends at its limit, as in the seeds.
-- The same names and columns stand in ../postgres/004-retry-count.sql.
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
  case job_state when 'done' then 0 else min(attempts, rules.max_retries) end as retry_count,
  rules.max_retries as max_retries,
  error_message,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') as created_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000.0, 'unixepoch') as started_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', finished_at / 1000.0, 'unixepoch') as completed_at
from andon_job_states join vault_sync_rules rules on rules.queue = 'nas-sync'
where andon_job_states.queue = 'nas-sync';
