select l.queue, l.lane_key, l.head_seq, l.depth, l.held_at, l.held_kind, l.held_by, l.held_reason, l.held_job_id from andon_lanes l where queue = @queue and lane_key = any(@keys::text[])
order by lane_key || '' for update;
