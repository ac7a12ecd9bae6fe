select r.pos, j.id, r.queue, r.worker, r.fence, r.started_at, r.cancel_actor, r.cancel_reason
from andon_running r join andon_jobs j on j.pos = r.pos where r.pos = @pos;
