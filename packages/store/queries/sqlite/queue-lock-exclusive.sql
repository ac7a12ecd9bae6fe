select name, state, epoch, stopped_at, stop_reason, stop_actor, stop_job_id, stop_id, probe_job_id, degraded_at from andon_queues where name = @queue;
