select r.pos, j.id, r.queue, r.worker, r.fence, r.started_at, r.cancel_actor, r.cancel_reason
from andon_jobs j join andon_running r on r.queue = j.queue and r.pos = j.pos where j.pos = @pos;
