update andon_lanes set held_at = null, held_kind = null, held_by = null, held_reason = null, held_job_id = null
where queue = @queue and lane_key in (select value from json_each(@keys)) and held_at is not null;
