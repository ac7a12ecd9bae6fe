select pos, queue, worker, fence, started_at, cancel_actor, cancel_reason
from andon_running where worker = @id and cancel_actor is not null;
