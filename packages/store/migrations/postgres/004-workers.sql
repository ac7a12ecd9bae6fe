-- What is shown of workers, and of those that died. The same names and columns stand in ../sqlite/004-workers.sql.

-- Columns of andon_queues first: claims under way finish, and new ones wait.
-- unworked_at: when the last worker of the queue went; it says nothing while somebody works it.
alter table andon_queues add column unworked_at bigint;

-- beat_at: when it was last heard of. version: of the program that it runs.
alter table andon_workers add column beat_at bigint;
alter table andon_workers add column version text;

-- Workers that died, with the jobs that were taken back from them. jobs is JSON, a list of ids.
create table andon_lost_workers (
  id text primary key,
  host text not null,
  pid integer not null,
  version text,
  queues text not null,
  started_at bigint,
  beat_at bigint,
  lost_at bigint not null,
  jobs text not null
);
create index andon_lost_workers_at on andon_lost_workers (lost_at);
