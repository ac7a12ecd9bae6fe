select j.id, 'running' as kind, null as until from andon_running r join andon_jobs j on j.pos = r.pos where r.queue = @queue
union all
select j.id, 'backoff', t.due_at from andon_timers t join andon_jobs j on j.pos = t.pos
where t.queue = @queue and t.kind = 'backoff'
limit 1;
