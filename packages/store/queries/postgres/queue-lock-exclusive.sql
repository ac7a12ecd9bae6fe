with cord as materialized (select pg_advisory_xact_lock(5017261, hashtext(@queue)))
select name, state, epoch, stopped_at, stop_reason, stop_actor, stop_job_id, stop_id, probe_job_id, degraded_at, set_config('lock_timeout', '20', true) as patience
from andon_queues where name = @queue and (select count(*) from cord) = 1 for update;
