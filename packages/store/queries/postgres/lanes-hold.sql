update andon_lanes set held_at = @at, held_kind = @kind, held_by = @by, held_reason = @reason, held_job_id = @jobId
where queue = @queue and lane_key = any(@keys::text[]);
