-- Channels, bulk jobs and what they wrote. The same names and columns stand in ../sqlite/001-broadcast.sql.

-- One counter per tenant. Whoever changes the tenant's channels, or fixes an audience, locks this row until its commit: so an audience
-- that is fixed at a version misses no channel whose import has a lower one.
create table broadcast_versions (
  tenant_id text primary key,
  version bigint not null
);

-- One row per life of a channel: added at version, deleted at deleted_version. An audience that is fixed at version S has the rows
-- with version <= S that were not deleted at S. Rows of deleted channels go when no unfinished audience needs them.
create table broadcast_channels (
  tenant_id text not null,
  id text collate "C" not null,
  version bigint not null,
  deleted_version bigint,
  organization_id text,
  name text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (tenant_id, id, version)
);
create unique index broadcast_channels_live on broadcast_channels (tenant_id, id) where deleted_version is null;
create index broadcast_channels_deleted on broadcast_channels (tenant_id, id) where deleted_version is not null;

-- A bulk job beside its row in the engine, which has the same id and knows state, cursor and counts. snapshot: the version at which its
-- audience is fixed, at its first start.
create table broadcast_jobs (
  id text primary key,
  tenant_id text not null,
  organization_id text,
  category text not null,
  chunk_size bigint not null,
  pause_ms bigint not null,
  max_per_second double precision,
  scheduled_at bigint,
  snapshot bigint,
  created_by text not null,
  created_at bigint not null
);
create index broadcast_jobs_tenant on broadcast_jobs (tenant_id, id);

-- What the notifications of a job say. It stays when the job is deleted, as they do.
create table broadcast_messages (
  job_id text primary key,
  tenant_id text not null,
  organization_id text,
  category text not null,
  title text not null,
  body text not null
);

-- One row per chunk, written with its notifications and pushes. Its pushes are sent together, so their state is here.
create table broadcast_chunks (
  job_id text not null,
  first_channel text collate "C" not null,
  last_channel text collate "C" not null,
  tenant_id text not null,
  organization_id text,
  recipients bigint not null,
  push_state text not null,
  sent_at bigint,
  error text,
  created_at bigint not null,
  primary key (job_id, first_channel)
);
create index broadcast_chunks_tenant on broadcast_chunks (tenant_id, job_id, first_channel);

-- The notification centre: at most one per job and channel.
create table broadcast_notifications (
  job_id text not null,
  channel_id text collate "C" not null,
  tenant_id text not null,
  created_at bigint not null,
  primary key (job_id, channel_id)
);
create index broadcast_notifications_channel on broadcast_notifications (channel_id, job_id);

-- Pushes to send, at most one per job and channel.
create table broadcast_pushes (
  job_id text not null,
  channel_id text collate "C" not null,
  primary key (job_id, channel_id)
);

-- Bulk jobs with the state that the engine knows.
create view broadcast_job_states as
select j.*, s.job_state, s.run_at
from broadcast_jobs j join andon_job_states s on s.id = j.id;
