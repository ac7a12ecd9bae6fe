-- Decisions about one job that are held back for a while, so that they can be called off.

-- state: pending, applied, undone, or lapsed where the job had changed. job_state and fence: what it was like when it was decided.
create table andon_decisions (
  id text primary key,
  queue text collate "C" not null,
  pos bigint not null,
  job_id text not null,
  tenant text not null,
  organization text,
  action text not null,
  cancel_at text,
  actor text not null,
  reason text,
  job_state text not null,
  fence integer not null,
  made_at bigint not null,
  applies_at bigint not null,
  state text not null,
  settled_at bigint,
  settled_by text,
  note text
);
create unique index andon_decisions_pending on andon_decisions (job_id) where state = 'pending';
create index andon_decisions_due on andon_decisions (applies_at) where state = 'pending';
create index andon_decisions_settled on andon_decisions (settled_at) where settled_at is not null;
create index andon_decisions_queue on andon_decisions (queue);
