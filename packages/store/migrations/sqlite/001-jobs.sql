-- The engine's tables. The same names and columns stand in ../postgres/001-jobs.sql; a test compares the two.
--
-- What a claim or a completion touches lives in small tables of its own (andon_ready, andon_running), so that a waiting job costs
-- them nothing; the row in andon_jobs is written at birth and at each end of an attempt.

create table andon_queues (
  name text primary key,
  state text not null default 'open',
  epoch integer not null default 1,
  stopped_at integer,
  stop_reason text,
  stop_actor text,
  stop_job_id text,
  stop_id text,
  probe_job_id text,
  degraded_at integer
);

create table andon_job_numbers (last integer not null);
insert into andon_job_numbers values (0);

-- state is 'open' while the job is in line; andon_ready, andon_running and andon_timers then say where it is, and one
-- that is in none of them is blocked (view andon_job_states). waits: of a job with several lanes, how many of them have
-- not let it through yet; a job with one lane needs no counter.
-- stages: the list that it was added with, stage: the present one; outputs: what the completed ones returned, by name;
-- stage_started_at and stage_elapsed: when the present one was first claimed, and its time at work in claims that have ended.
-- cancel_actor: who cancelled it, while completed stages are rolled back. awaits: the event that it is parked for;
-- arrivals: what has come for it.
create table andon_jobs (
  pos integer primary key,
  id text not null unique,
  ticket integer,
  queue text not null,
  name text not null,
  tenant text not null,
  organization text,
  share text,
  lane_keys text,
  seq integer,
  rank integer not null,
  payload text not null,
  state text not null default 'open',
  waits integer not null default 0,
  attempts integer not null default 0,
  fence integer not null default 0,
  stalled integer not null default 0,
  run_at integer,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  worker text,
  cursor text,
  progress text,
  result text,
  error_code text,
  error_message text,
  error_texts text,
  fingerprint text,
  resolved_by text,
  resolved_at integer,
  resolution_note text,
  trace_id text,
  stages text,
  stage text,
  outputs text,
  stage_started_at integer,
  stage_elapsed integer,
  cancel_actor text,
  cancel_reason text,
  awaits text,
  arrivals text
);
-- Jobs by their first key, ended ones too: keys are written once, at birth. A part of them, since an entry has a largest size.
create index andon_jobs_first_key on andon_jobs (queue, substr(lane_keys, 1, 160), pos) where lane_keys is not null;
create index andon_jobs_ticket on andon_jobs (ticket) where ticket is not null;
-- Jobs of one tenant. Where there is only the default one, nobody pays for it.
create index andon_jobs_tenant on andon_jobs (tenant, queue, pos) where tenant <> 'default';
-- Jobs of one organisation of a tenant. Where jobs have none, nobody pays for it.
create index andon_jobs_organization on andon_jobs (organization, tenant, queue, pos) where organization is not null;
create index andon_jobs_awaits on andon_jobs (awaits) where awaits is not null;

create table andon_idempotency (
  queue text not null,
  tenant text not null,
  idempotency_key text not null,
  job_id text not null,
  primary key (queue, tenant, idempotency_key)
) without rowid;
create index andon_idempotency_job on andon_idempotency (job_id);

create table andon_ready (
  queue text not null,
  rank integer not null,
  pos integer not null,
  share text,
  stage text,
  primary key (queue, rank, pos)
) without rowid;

-- Only queues whose tenants share fairly fill `share`, so the others do not pay for this index.
create index andon_ready_share on andon_ready (queue, share, rank, pos) where share is not null;
-- The same for queues with stages: a claim takes from each stage that has free places, and never reads the line of a full one.
create index andon_ready_stage on andon_ready (queue, stage, rank, pos) where stage is not null;
create index andon_ready_stage_share on andon_ready (queue, stage, share, rank, pos) where stage is not null and share is not null;

create table andon_running (
  queue text not null,
  pos integer not null,
  share text,
  stage text,
  worker text not null,
  fence integer not null,
  started_at integer not null,
  cancel_actor text,
  cancel_reason text,
  cancel_at text,
  primary key (queue, pos)
) without rowid;

create table andon_timers (
  pos integer primary key,
  queue text not null,
  due_at integer not null,
  kind text not null
);
create index andon_timers_queue on andon_timers (queue, kind, due_at);
-- Promotion takes timers of a queue in this order.
create index andon_timers_line on andon_timers (queue, due_at, pos);

-- Jobs that ended otherwise than done, or stand until a person decides.
create table andon_ended (
  pos integer primary key,
  queue text not null,
  state text not null,
  at integer not null,
  fingerprint text,
  tenant text,
  organization text
);
create index andon_ended_state on andon_ended (queue, state, at, pos);
create index andon_ended_fingerprint on andon_ended (queue, fingerprint, state, at) where fingerprint is not null;
-- Where there is only the default tenant, nobody pays for it.
create index andon_ended_tenant on andon_ended (tenant, queue, state, at, pos) where tenant <> 'default';
create index andon_ended_organization on andon_ended (organization, tenant, queue, state, at, pos) where organization is not null;

-- A lane is queue + tenant + key. lane_key is one text of tenant and key, as engine/src/lanes/lane-id.ts composes it: the key itself for the
-- default tenant.
-- head_seq is the job that the lane has let through, 0 while it has let none through. gone: how many of the places that it has
-- given away belong to jobs that the store no longer keeps; while there are others, a lane that began to count anew would put
-- new jobs before old ones, so a lane goes only with its last job.
create table andon_lanes (
  queue text not null,
  lane_key text not null,
  next_seq integer not null default 0,
  head_seq integer not null default 0,
  depth integer not null default 0,
  gone integer not null default 0,
  held_at integer,
  held_kind text,
  held_by text,
  held_reason text,
  held_job_id text,
  primary key (queue, lane_key)
) without rowid;
create index andon_lanes_held on andon_lanes (queue, held_at, lane_key) where held_at is not null;

create table andon_lane_jobs (
  queue text not null,
  lane_key text not null,
  seq integer not null,
  pos integer not null,
  lanes integer not null,
  primary key (queue, lane_key, seq)
) without rowid;
create index andon_lane_jobs_pos on andon_lane_jobs (pos);

create table andon_attempts (
  pos integer not null,
  fence integer not null,
  number integer not null,
  stage text,
  outcome text not null,
  worker text not null,
  started_at integer not null,
  finished_at integer not null,
  code text,
  message text,
  stack text,
  texts text,
  primary key (pos, fence)
) without rowid;
create index andon_attempts_finished on andon_attempts (finished_at);

-- Stages that a job has behind it, by their number in its list. fence: the claim that ended the stage.
create table andon_stages (
  pos integer not null,
  number integer not null,
  fence integer not null,
  name text not null,
  status text not null,
  attempts integer not null,
  elapsed integer not null,
  started_at integer,
  finished_at integer not null,
  primary key (pos, number)
) without rowid;

-- What came from outside. at is null while a job waits and nothing has come: who parks and who arrives lock the same row.
create table andon_arrivals (
  event text primary key,
  payload text,
  at integer,
  kept_since integer not null
);
create index andon_arrivals_kept on andon_arrivals (kept_since);

-- Which jobs a claim started in which epoch, and which ones the same statement finished.
create table andon_claim_log (
  id integer primary key,
  queue text not null,
  epoch integer,
  worker text not null,
  at integer not null,
  claimed integer not null,
  done integer not null,
  started text,
  finished text
);
create index andon_claim_log_queue on andon_claim_log (queue, id);

-- Changes of the counts, added by every verb and merged by the sweep: nobody waits for a counter.
create table andon_tallies (
  id integer primary key,
  queue text not null,
  scheduled integer not null default 0,
  blocked integer not null default 0,
  ready integer not null default 0,
  running integer not null default 0,
  parked integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  skipped integer not null default 0,
  resolved integer not null default 0,
  aborted integer not null default 0,
  purged integer not null default 0,
  held integer not null default 0,
  merged integer not null default 0
);

-- rules: by which rules a worker works its queues, as far as others must know them: leases, and which are serial. A worker with at_work 0
-- does not beat.
create table andon_workers (
  id text primary key,
  host text not null,
  pid integer not null,
  beat integer not null,
  started_at integer not null,
  queues text not null,
  rules text not null default '{}',
  at_work integer not null default 1
);

-- The audit log is a chain: each row's hash covers the row and the hash before it, and the head says where it ends.
create table andon_audit (
  id text primary key,
  actor text not null,
  at integer not null,
  action text not null,
  target text not null,
  reason text,
  before_json text,
  after_json text,
  seq integer not null unique,
  hash text not null,
  tenant text,
  organization text
);
create table andon_audit_head (
  id integer primary key,
  seq integer not null,
  hash text not null
);
insert into andon_audit_head (id, seq, hash)
values (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');
-- How far the chain was found to hold when it was last checked: a check of a long log goes on from there.
create table andon_audit_checked (
  id integer primary key,
  seq integer not null,
  hash text not null
);
create index andon_audit_at on andon_audit (at, id);
create index andon_audit_target on andon_audit (target, at);
create index andon_audit_actor on andon_audit (actor, at, id);
create index andon_audit_action on andon_audit (action, at, id);
create index andon_audit_tenant on andon_audit (tenant, at, id) where tenant is not null;
create index andon_audit_organization on andon_audit (organization, tenant, at, id) where organization is not null;

-- A tenant reads the rows of its own jobs, and what concerns whole queues.
create table andon_events (
  id integer primary key,
  type text not null,
  at integer not null,
  queue text,
  job_id text,
  data text not null,
  tenant text,
  organization text
);
create index andon_events_queue on andon_events (queue, id);
create index andon_events_stops on andon_events (queue, at) where type = 'queue.stopped';
create index andon_events_tenant on andon_events (tenant, id) where tenant is not null;
create index andon_events_organization on andon_events (organization, tenant, id) where organization is not null;
create index andon_events_queues on andon_events (id) where substr(type, 1, 6) = 'queue.';
create index andon_events_job on andon_events (job_id, id) where job_id is not null;

create table andon_stops (
  id text primary key,
  queue text not null,
  epoch integer not null,
  at integer not null,
  kind text not null,
  actor text not null,
  reason text not null,
  job_id text,
  error_code text,
  error_message text,
  error_texts text,
  in_flight text not null,
  last_claim integer not null,
  last_started text,
  resumed_at integer,
  resumed_by text
);
create index andon_stops_queue on andon_stops (queue, at);

-- Schedules: jobs that are added by the clock. next_at is null while a schedule is not active.
create table andon_schedules (
  id text primary key,
  name text not null unique,
  queue text not null,
  cron text not null,
  time_zone text not null,
  missed text not null,
  payload text not null,
  lane_keys text not null,
  priority integer not null,
  tenant text not null,
  organization text,
  job_name text not null,
  is_active integer not null,
  next_at integer,
  last_due_at integer,
  created_at integer not null,
  updated_at integer not null
);
create index andon_schedules_next on andon_schedules (next_at) where next_at is not null;

-- Frozen sets of jobs that a bulk decision was planned for.
create table andon_plans (
  id text primary key,
  queue text not null,
  action text not null,
  actor text not null,
  reason text,
  tenant text,
  organization text,
  created_at integer not null,
  expires_at integer not null,
  applied_at integer,
  reach text not null,
  count integer not null default 0
);
create index andon_plans_expiry on andon_plans (queue, expires_at);

-- One decision over many jobs. beat grows while somebody is at it; driver is who.
create table andon_operations (
  id text primary key,
  queue text not null,
  action text not null,
  actor text not null,
  reason text,
  tenant text,
  organization text,
  details text not null,
  list text not null,
  state text not null,
  created_at integer not null,
  finished_at integer,
  total integer not null default 0,
  done integer not null default 0,
  requested integer not null default 0,
  left_out integer not null default 0,
  left_out_jobs text not null,
  result text,
  next_step integer not null default 0,
  next_item integer not null default 0,
  driver text,
  beat integer not null default 0
);
create index andon_operations_queue on andon_operations (queue, created_at, id);
create index andon_operations_created on andon_operations (created_at, id);
create index andon_operations_open on andon_operations (id) where finished_at is null;

-- The frozen list of an operation or of a plan, some hundred jobs per row. An item is a JSON array: the position, and in a
-- plan what the job was like.
create table andon_operation_steps (
  list text not null,
  number integer not null,
  items text not null,
  primary key (list, number)
);

-- What is kept of a bulk job beside its cursor; other jobs have no row here. pause_ms and max_per_second are null until somebody sets
-- them, and 0 for none. chunk_ms: the longest of its last chunks. slow_ms: how slowly the database answers, while that is over the limit.
create table andon_bulk (
  pos integer primary key,
  processed integer not null default 0,
  total integer,
  started_at integer,
  resumed_at integer,
  pause_ms integer,
  max_per_second real,
  queue_max_per_second real,
  rate real,
  chunk_ms integer,
  chunk_at integer,
  slow_ms integer,
  slow_limit_ms integer
);

-- Wishes to abort, apart from the rows that workers lock: asking waits for nobody. A wish stays until its job is resumed or goes.
-- noun: what the audit log calls the job.
create table andon_abort_wishes (
  pos integer primary key,
  actor text not null,
  reason text,
  requested_at integer not null,
  noun text not null
);

-- One ceiling for all bulk jobs of a queue: up to when its rate is given away.
create table andon_bulk_rates (
  queue text primary key,
  paid_until integer not null
);

-- One process of a fleet keeps house. role: who may keep house for whom, by the queues that the processes define. term rises with every change of hands; beat rises
-- while the holder is active.
create table andon_housekeepers (
  role text primary key,
  worker text not null,
  term integer not null,
  beat integer not null
);

create view andon_job_states as
select
  j.*,
  case
    when j.state <> 'open' then j.state
    when r.pos is not null then 'running'
    when t.pos is not null then 'scheduled'
    when w.pos is not null then 'ready'
    else 'blocked'
  end as job_state,
  r.worker as running_worker,
  r.started_at as running_since,
  r.fence as running_fence,
  t.due_at as due_at
from andon_jobs j
left join andon_running r on r.queue = j.queue and r.pos = j.pos
left join andon_timers t on t.pos = j.pos
left join andon_ready w on w.queue = j.queue and w.rank = j.rank and w.pos = j.pos;
