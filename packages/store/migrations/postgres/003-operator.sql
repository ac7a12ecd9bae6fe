-- What operators look at and decide. The same names and columns stand in ../sqlite/003-operator.sql; a test compares the two.
--
-- Tables are changed in the order in which a running worker locks them, so that neither waits for the other for ever.

-- Jobs of one tenant. Where there is only the default one, nobody pays for it.
create index andon_jobs_tenant on andon_jobs (tenant, queue, pos) where tenant <> 'default';

-- Jobs that ended with the same error; before this, only failed ones kept it here.
update andon_aside set fingerprint = (select j.fingerprint from andon_jobs j where j.pos = andon_aside.pos)
where fingerprint is null;
create index andon_aside_fingerprint on andon_aside (queue, fingerprint, state, at) where fingerprint is not null;

-- Frozen sets of jobs that a bulk decision was planned for.
create table andon_plans (
  id text primary key,
  queue text collate "C" not null,
  action text not null,
  actor text not null,
  reason text,
  tenant text,
  created_at bigint not null,
  expires_at bigint not null,
  applied_at bigint,
  reach text not null,
  targets text not null
);
create index andon_plans_expiry on andon_plans (queue, expires_at);

-- The audit log is a chain: each row's hash covers the row and the hash before it, and the head says where it ends.
-- Rows that were written before there was a chain have no place in it; the head knows how many they are.
alter table andon_audit add column seq bigint;
alter table andon_audit add column hash text;
alter table andon_audit add column tenant text;
create table andon_audit_head (
  id integer primary key,
  seq bigint not null,
  hash text not null,
  unchained bigint not null
);
insert into andon_audit_head (id, seq, hash, unchained)
select 1, 0, '0000000000000000000000000000000000000000000000000000000000000000', count(*) from andon_audit;
update andon_audit set tenant = (select j.tenant from andon_jobs j where j.id = substr(andon_audit.target, 5))
where target like 'job:%';
create unique index andon_audit_seq on andon_audit (seq);
create index andon_audit_actor on andon_audit (actor, at, id);
create index andon_audit_action on andon_audit (action, at, id);
create index andon_audit_tenant on andon_audit (tenant, at, id) where tenant is not null;

-- A tenant reads the rows of its own jobs, and what concerns whole queues.
alter table andon_events add column tenant text;
update andon_events set tenant = (select j.tenant from andon_jobs j where j.id = andon_events.job_id)
where job_id is not null;
create index andon_events_tenant on andon_events (tenant, id) where tenant is not null;
create index andon_events_queues on andon_events (id) where substr(type, 1, 6) = 'queue.';
create index andon_events_job on andon_events (job_id, id) where job_id is not null;
