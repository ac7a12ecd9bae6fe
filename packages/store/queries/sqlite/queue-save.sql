update andon_queues set state = @state, epoch = @epoch, stopped_at = @stoppedAt, stop_reason = @stopReason,
  stop_actor = @stopActor, stop_job_id = @stopJobId, stop_id = @stopId, probe_job_id = @probeJobId,
  degraded_at = @degradedAt
where name = @name;
