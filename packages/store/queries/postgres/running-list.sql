select r.pos, (select j.id from andon_jobs j where j.pos = r.pos) as id, r.queue, r.worker, r.fence, r.started_at,
  r.cancel_actor, r.cancel_reason
from andon_running r
where (cast(@queue as text) is null or r.queue = @queue) and (cast(@worker as text) is null or r.worker = @worker)
order by r.queue, r.pos;
