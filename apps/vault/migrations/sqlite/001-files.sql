-- Files and folders as people see them, and where their bytes are. The same names and columns stand in ../postgres/001-files.sql.

-- sort_name is the name as people look for it and as lists are ordered: in lower case.
-- The root folder of a tenant has no row; its id is 'root'. TRASHING: the NAS is being asked, and nothing new goes in meanwhile.
create table folders (
  id text primary key,
  tenant_id text not null,
  organization_id text,
  parent_id text not null,
  name text not null,
  sort_name text not null,
  state text not null,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer
);
create index folders_parent on folders (tenant_id, parent_id, state, sort_name, id);
-- What an organisation sees. Where nobody has one, nobody pays for it; the same for files and the trash.
create index folders_organization on folders (organization_id, tenant_id, parent_id, state, sort_name, id) where organization_id is not null;

create table files (
  id text primary key,
  tenant_id text not null,
  organization_id text,
  folder_id text not null,
  name text not null,
  sort_name text not null,
  state text not null,
  size integer not null,
  mime_type text not null,
  sha256 text not null,
  created_by text not null,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer
);
create index files_folder on files (tenant_id, folder_id, state, sort_name, id);
create index files_name on files (tenant_id, state, sort_name, id);
create index files_organization on files (organization_id, tenant_id, state, sort_name, id) where organization_id is not null;
create index files_organization_folder on files (organization_id, tenant_id, folder_id, state, sort_name, id) where organization_id is not null;

-- Names in use. A file and a folder cannot share one, and both are compared as the NAS compares them (name_key).
create table vault_names (
  tenant_id text not null,
  parent_id text not null,
  name_key text not null,
  kind text not null,
  owner_id text not null,
  primary key (tenant_id, parent_id, name_key)
);
create index vault_names_owner on vault_names (owner_id);

-- Where the bytes of a file really lie: path is null where there are none. The row of the NAS is what every operation starts from.
create table file_storage_objects (
  id text primary key,
  file_id text not null,
  storage_type text not null,
  availability_status text not null,
  path text,
  size integer,
  sha256 text,
  updated_at integer not null,
  unique (file_id, storage_type)
);
create index file_storage_objects_status on file_storage_objects (storage_type, availability_status, file_id);
-- Paths can be longer than an index takes.
create index file_storage_objects_path on file_storage_objects (substr(path, 1, 200), storage_type);

-- Every operation that a file has had: what finds them when they are finished and have left their lanes.
create table vault_operations (
  file_id text not null,
  job_id text not null,
  created_at integer not null,
  primary key (file_id, job_id)
);

create table trash_metadata (
  item_id text primary key,
  tenant_id text not null,
  organization_id text,
  kind text not null,
  name text not null,
  original_path text not null,
  original_parent_id text not null,
  size integer,
  deleted_at integer not null,
  expires_at integer not null
);
create index trash_metadata_expiry on trash_metadata (expires_at, item_id);
create index trash_metadata_tenant on trash_metadata (tenant_id, expires_at, item_id);
create index trash_metadata_organization on trash_metadata (organization_id, tenant_id, expires_at, item_id) where organization_id is not null;

-- A rename or move of a folder: one operation to people, one job per file to the NAS.
create table folder_operations (
  id text primary key,
  tenant_id text not null,
  organization_id text,
  folder_id text not null,
  kind text not null,
  total integer not null,
  created_at integer not null
);
create table folder_operation_jobs (
  operation_id text not null,
  job_id text not null,
  primary key (operation_id, job_id)
);

-- NAS roots that this store has known: the marker of a known one is never made again by itself.
create table vault_nas (
  url text primary key,
  marker text not null,
  known_at integer not null
);

create table vault_drift_runs (
  id text primary key,
  job_id text,
  state text not null,
  checksum integer not null,
  started_at integer not null,
  finished_at integer,
  files_checked integer not null default 0,
  findings integer not null default 0,
  error text
);
create index vault_drift_runs_started on vault_drift_runs (started_at);
create table vault_drift_findings (
  run_id text not null,
  seq integer not null,
  kind text not null,
  path text not null,
  file_id text,
  expected text,
  found text,
  repair text not null,
  repaired_by text,
  primary key (run_id, seq)
);

-- Bytes that a repair took out of the way on the NAS: known to a comparison, and deleted when their time in the trash is over.
create table vault_quarantined (
  job_id text primary key,
  tenant_id text not null,
  path text not null,
  expires_at integer not null
);
create index vault_quarantined_expiry on vault_quarantined (expires_at, job_id);

-- What the views tell of the queue's rules, which are settings: the vault writes them as it starts.
create table vault_sync_rules (
  queue text primary key,
  max_retries integer not null
);
insert into vault_sync_rules (queue, max_retries) values ('nas-sync', 5);

-- The seeds' names for the one jobs table. A success counts no retries, and the last failure is no retry either: the count
-- ends at its limit.
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

create view sync_events as
select
  id,
  'FILE' as aggregate_type,
  json_extract(payload, '$.fileId') as aggregate_id,
  'NAS_SYNC_' || name as event_type,
  payload,
  case job_state
    when 'running' then 'PROCESSING' when 'done' then 'DONE' when 'failed' then 'FAILED'
    when 'skipped' then 'MANUALLY_RESOLVED' when 'resolved' then 'MANUALLY_RESOLVED'
    when 'cancelled' then 'MANUALLY_RESOLVED' else 'PENDING'
  end as status,
  attempts as attempt_count,
  error_message as last_error,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') as created_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', finished_at / 1000.0, 'unixepoch') as processed_at,
  resolved_by,
  strftime('%Y-%m-%dT%H:%M:%fZ', resolved_at / 1000.0, 'unixepoch') as resolved_at,
  resolution_note
from andon_job_states where queue = 'nas-sync';
