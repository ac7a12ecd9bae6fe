-- The engine's tables. The same names and columns stand in ../postgres/001-engine.sql; a test compares the two.
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
create table andon_jobs (
  pos integer primary key,
  id text not null unique,
  ticket integer,
  queue text not null,
  name text not null,
  tenant text not null,
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
  fingerprint text,
  resolved_by text,
  resolved_at integer,
  resolution_note text,
  trace_id text
);
create index andon_jobs_ticket on andon_jobs (ticket) where ticket is not null;

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
  primary key (queue, rank, pos)
) without rowid;

-- Only queues whose tenants share fairly fill `share`, so the others do not pay for this index.
create index andon_ready_share on andon_ready (queue, share, rank, pos) where share is not null;

create table andon_running (
  queue text not null,
  pos integer not null,
  share text,
  worker text not null,
  fence integer not null,
  started_at integer not null,
  cancel_actor text,
  cancel_reason text,
  primary key (queue, pos)
) without rowid;

create table andon_timers (
  pos integer primary key,
  queue text not null,
  due_at integer not null,
  kind text not null
);
create index andon_timers_due on andon_timers (due_at);
create index andon_timers_queue on andon_timers (queue, kind, due_at);

-- Jobs that ended otherwise than done, or stand until a person decides.
create table andon_aside (
  pos integer primary key,
  queue text not null,
  state text not null,
  at integer not null,
  fingerprint text
);
create index andon_aside_state on andon_aside (queue, state, at, pos);

-- head_seq is the job that the lane has let through, 0 while it has let none through.
create table andon_lanes (
  queue text not null,
  lane_key text not null,
  next_seq integer not null default 0,
  head_seq integer not null default 0,
  depth integer not null default 0,
  held_at integer,
  held_kind text,
  held_by text,
  held_reason text,
  held_job_id text,
  primary key (queue, lane_key)
) without rowid;
create index andon_lanes_held on andon_lanes (queue, held_at) where held_at is not null;

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
  outcome text not null,
  worker text not null,
  started_at integer not null,
  finished_at integer not null,
  code text,
  message text,
  stack text,
  primary key (pos, fence)
) without rowid;

-- The ledger of turns: which jobs a claim started in which epoch, and which ones a completion finished.
create table andon_turns (
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
create index andon_turns_queue on andon_turns (queue, id);

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
  merged integer not null default 0
);

create table andon_workers (
  id text primary key,
  host text not null,
  pid integer not null,
  beat integer not null,
  started_at integer not null,
  queues text not null
);

create table andon_audit (
  id text primary key,
  actor text not null,
  at integer not null,
  action text not null,
  target text not null,
  reason text,
  before_json text,
  after_json text
);
create index andon_audit_at on andon_audit (at, id);
create index andon_audit_target on andon_audit (target, at);

create table andon_events (
  id integer primary key,
  type text not null,
  at integer not null,
  queue text,
  job_id text,
  data text not null
);
create index andon_events_queue on andon_events (queue, id);
create index andon_events_stops on andon_events (queue, at) where type = 'queue.stopped';

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
  in_flight text not null,
  last_turn integer not null,
  last_started text,
  resumed_at integer,
  resumed_by text
);
create index andon_stops_queue on andon_stops (queue, at);

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
