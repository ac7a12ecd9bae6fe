select number, outcome, worker, started_at as "startedAt", finished_at as "finishedAt", code, message, stack
from andon_attempts where pos = @pos order by fence;
