-- worker-beat
update andon_workers set beat = beat + 1, beat_at = @now, at_work = @atWork, queues = @queues, rules = @rules
where id = @id;

-- worker-cancels
select r.pos, r.queue, r.worker, r.fence, r.started_at, r.cancel_actor, r.cancel_reason, r.cancel_at
from andon_running r where r.worker = @id
  and (r.cancel_at = 'now' or (select w.pos from andon_abort_wishes w where w.pos = r.pos) is not null);

-- worker-drop
delete from andon_workers where id = @id;

-- worker-queues
select queues from andon_workers where id = @id;

-- worker-register
insert into andon_workers (id, host, pid, beat, beat_at, started_at, at_work, queues, rules, version)
values (@id, @host, @pid, 1, @now, @startedAt, @atWork, @queues, @rules, @version) on conflict (id) do nothing;

-- workers-connected (SQLite)
select id from andon_workers;

-- workers-connected (PostgreSQL)
select w.id from andon_workers w join pg_locks l on l.locktype = 'advisory' and l.objsubid = 2
  and l.classid::bigint = 5017265 and l.objid::bigint = (hashtext(w.id)::bigint & 4294967295)
  and l.database = (select oid from pg_database where datname = current_database());

-- workers-list
select id, host, pid, beat, beat_at as "beatAt", version, started_at as "startedAt", at_work as "atWork", queues, rules from andon_workers order by started_at, id;
