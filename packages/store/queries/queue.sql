-- queue-bulk-rates-delete
delete from andon_bulk_rates where queue = @queue;

-- queue-claims-delete (SQLite)
delete from andon_claim_log where queue = @queue and id in (select value from json_each(@ids));

-- queue-claims-delete (PostgreSQL)
delete from andon_claim_log where queue = @queue and id = any(@ids::bigint[]);

-- queue-claims-first
select id, finished from andon_claim_log where queue >= @queue and queue <= @queue order by queue, id limit @most;

-- queue-decisions-delete
delete from andon_decisions where id in (select id from andon_decisions where queue = @queue limit @most);

-- queue-delete
delete from andon_queues where name = @queue;

-- queue-end-lock-timeout (SQLite)
select 1;

-- queue-end-lock-timeout (PostgreSQL)
set local lock_timeout to default;

-- queue-ensure
insert into andon_queues (name) values (@name) on conflict do nothing;

-- queue-events-delete (SQLite)
delete from andon_events where queue = @queue and id in (select id from andon_events where queue >= @queue and queue <= @queue and id < (select max(id) from andon_events) order by queue, id limit @most);

-- queue-events-delete (PostgreSQL)
delete from andon_events where queue = @queue and id = any(array(select id from andon_events where queue >= @queue and queue <= @queue and id < (select max(id) from andon_events) order by queue, id limit @most));

-- queue-history-delete
delete from andon_history where queue = @queue and (step, at) in (
  select step, at from andon_history where queue = @queue limit @most);

-- queue-jobs-ended
select pos from andon_ended where queue = @queue limit @most;

-- queue-jobs-lane_jobs
select pos from andon_lane_jobs where queue = @queue limit @most;

-- queue-jobs-ready
select pos from andon_ready where queue = @queue limit @most;

-- queue-jobs-timers
select pos from andon_timers where queue = @queue limit @most;

-- queue-lanes-delete
delete from andon_lanes where queue = @queue and lane_key in (
  select lane_key from andon_lanes where queue = @queue limit @most);

-- queue-list
select name, state, epoch, stopped_at, stop_reason, stop_actor, stop_job_id, stop_id, probe_job_id, degraded_at, ramp, unworked_at from andon_queues order by name;

-- queue-lock-exclusive (SQLite)
select name, state, epoch, stopped_at, stop_reason, stop_actor, stop_job_id, stop_id, probe_job_id, degraded_at, ramp, unworked_at from andon_queues where name = @queue;

-- queue-lock-exclusive (PostgreSQL)
with cord as materialized (select pg_advisory_xact_lock(5017261, hashtext(@queue)))
select name, state, epoch, stopped_at, stop_reason, stop_actor, stop_job_id, stop_id, probe_job_id, degraded_at, ramp, unworked_at, set_config('lock_timeout', '20', true) as lock_timeout
from andon_queues where name = @queue and (select count(*) from cord) = 1 for update;

-- queue-lock-share (SQLite)
select name, state, epoch, stopped_at, stop_reason, stop_actor, stop_job_id, stop_id, probe_job_id, degraded_at, ramp, unworked_at from andon_queues where name = @queue;

-- queue-lock-share (PostgreSQL)
with cord as materialized (select pg_advisory_xact_lock_shared(5017261, hashtext(@queue)))
select name, state, epoch, stopped_at, stop_reason, stop_actor, stop_job_id, stop_id, probe_job_id, degraded_at, ramp, unworked_at, set_config('lock_timeout', '20', true) as lock_timeout
from andon_queues where name = @queue and (select count(*) from cord) = 1 for share;

-- queue-operation-lists-delete
delete from andon_operation_steps where list in (select id from andon_operations where queue = @queue limit @most);

-- queue-operations-delete
delete from andon_operations where id in (
  select id from andon_operations where queue = @queue and action <> 'delete-queue' limit @most);

-- queue-plan-lists-delete
delete from andon_operation_steps where list in (select id from andon_plans where queue = @queue limit @most);

-- queue-plans-delete
delete from andon_plans where id in (select id from andon_plans where queue = @queue limit @most);

-- queue-read
select name, state, epoch, stopped_at, stop_reason, stop_actor, stop_job_id, stop_id, probe_job_id, degraded_at, ramp, unworked_at from andon_queues where name = @name;

-- queue-save
update andon_queues set state = @state, epoch = @epoch, stopped_at = @stoppedAt, stop_reason = @stopReason,
  stop_actor = @stopActor, stop_job_id = @stopJobId, stop_id = @stopId, probe_job_id = @probeJobId,
  degraded_at = @degradedAt, ramp = @ramp
where name = @name;

-- queue-schedules-delete
delete from andon_schedules where id in (select id from andon_schedules where queue = @queue limit @most);

-- queue-stops-delete
delete from andon_stops where queue = @queue and id in (select id from andon_stops where queue = @queue limit @most);

-- queue-tallies-delete
delete from andon_tallies where id in (select id from andon_tallies where queue = @queue limit @most);

-- queues-note-left (SQLite)
update andon_queues set unworked_at = @now where name in (select value from json_each(@queues));

-- queues-note-left (PostgreSQL)
update andon_queues set unworked_at = @now where name = any(@queues::text[]);

-- queues-oldest (SQLite)
select q.name as queue,
  (select case when t.at > @now then 0 else t.at end from andon_claim_log t
   where queue >= q.name and queue <= q.name and (t.done > 0 or exists (
     select 1 from andon_claim_log l where l.queue = q.name and l.id > t.id and l.claimed > 0))
   order by queue, id limit 1) as done,
  (select min(a.at) from andon_ended a where a.queue = q.name and a.state = 'cancelled') as cancelled,
  (select min(a.at) from andon_ended a where a.queue = q.name and a.state = 'skipped') as skipped,
  (select min(a.at) from andon_ended a where a.queue = q.name and a.state = 'resolved') as resolved,
  (select min(p.expires_at) from andon_plans p where p.queue = q.name) as plan
from (select value as name from json_each(@queues)) q;

-- queues-oldest (PostgreSQL)
select q.name as queue,
  (select case when t.at > @now then 0 else t.at end from andon_claim_log t
   where queue >= q.name and queue <= q.name and (t.done > 0 or exists (
     select 1 from andon_claim_log l where l.queue = q.name and l.id > t.id and l.claimed > 0))
   order by queue, id limit 1) as done,
  (select min(a.at) from andon_ended a where a.queue = q.name and a.state = 'cancelled') as cancelled,
  (select min(a.at) from andon_ended a where a.queue = q.name and a.state = 'skipped') as skipped,
  (select min(a.at) from andon_ended a where a.queue = q.name and a.state = 'resolved') as resolved,
  (select min(p.expires_at) from andon_plans p where p.queue = q.name) as plan
from (select name from unnest(@queues::text[]) as listed(name)) q;

-- queues-overview (SQLite)
select q.name as queue,
  (select j.created_at from andon_jobs j where j.pos = (
    select r.pos from andon_ready r where r.queue = q.name order by r.rank, r.pos limit 1
  )) as oldest,
  (select coalesce(sum(t.done), 0) || ' ' || count(*) || ' ' || coalesce(min(t.at), 0) from (
    select done, at from andon_claim_log where queue >= q.name and queue <= q.name order by queue desc, id desc limit @most
  ) t where t.at > @since) as entries
from andon_queues q where q.name in (select value from json_each(@queues));

-- queues-overview (PostgreSQL)
select q.name as queue,
  (select j.created_at from andon_jobs j where j.pos = (
    select r.pos from andon_ready r where r.queue = q.name order by r.rank, r.pos limit 1
  )) as oldest,
  (select coalesce(sum(t.done), 0) || ' ' || count(*) || ' ' || coalesce(min(t.at), 0) from (
    select done, at from andon_claim_log where queue >= q.name and queue <= q.name order by queue desc, id desc limit @most
  ) t where t.at > @since) as entries
from andon_queues q where q.name = any(@queues::text[]);
