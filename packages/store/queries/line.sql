-- line-blocker
select (select j.id from andon_jobs j where j.pos = r.pos) as id, 'running' as kind, null as until
from andon_running r where r.queue = @queue
union all
select (select j.id from andon_jobs j where j.pos = t.pos), 'backoff', t.due_at
from andon_timers t where t.queue = @queue and t.kind = 'backoff'
limit 1;
