select r.pos, (select j.id from andon_jobs j where j.pos = @pos) as id, r.queue, r.worker, r.fence, r.started_at,
  r.cancel_actor, r.cancel_reason
from andon_running r where r.queue = (select j.queue from andon_jobs j where j.pos = @pos) and r.pos = @pos;
