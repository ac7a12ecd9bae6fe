-- running-delete (SQLite)
delete from andon_running where queue = @queue and pos in (select value from json_each(@positions));

-- running-delete (PostgreSQL)
delete from andon_running where queue = @queue and pos = any(@positions::bigint[]);

-- running-hold (SQLite)
select pos from andon_running
where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos and fence = @fence
  and coalesce(cancel_at, 'boundary') = 'boundary';

-- running-hold (PostgreSQL)
select pos from andon_running
where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos and fence = @fence
  and coalesce(cancel_at, 'boundary') = 'boundary' for update;

-- running-holders
select queue, worker, count(*) as jobs from andon_running group by queue, worker;

-- running-in-stage
select count(*) as running from andon_running where queue = @queue and stage = @stage;

-- running-list
select r.pos, (select j.id from andon_jobs j where j.pos = r.pos) as id, r.queue, r.worker, r.fence, r.started_at,
  r.cancel_actor, r.cancel_reason, r.cancel_at
from andon_running r
where (cast(@queue as text) is null or r.queue = @queue) and (cast(@worker as text) is null or r.worker = @worker)
order by r.queue, r.pos;

-- running-longest
select r.pos, count(*) over () as total from andon_running r
where (cast(@queue as text) is null or r.queue = @queue) and (cast(@tenant as text) is null and cast(@organization as text) is null or (
  select 1 from andon_jobs j where j.pos = r.pos and (cast(@tenant as text) is null or j.tenant = @tenant)
  and (cast(@organization as text) is null or j.organization = @organization)
) is not null)
order by r.started_at, r.pos limit @limit offset @offset;

-- running-of-tenant
select count(*) as running from andon_running r
where r.queue = @queue and (select j.tenant from andon_jobs j where j.pos = r.pos) = @tenant;

-- running-one
select r.pos, (select j.id from andon_jobs j where j.pos = @pos) as id, r.queue, r.worker, r.fence, r.started_at,
  r.cancel_actor, r.cancel_reason, r.cancel_at
from andon_running r where r.queue = (select j.queue from andon_jobs j where j.pos = @pos) and r.pos = @pos;

-- running-start
insert into andon_running (queue, pos, share, stage, worker, fence, started_at)
select queue, pos, share, stage, @worker, cast(@fence as integer), cast(@now as bigint) from andon_jobs where pos = @pos;

-- running-take
delete from andon_running where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos and fence = @fence
returning pos, queue, worker, fence, started_at, cancel_actor, cancel_reason, cancel_at, (select w.actor from andon_abort_wishes w where w.pos = andon_running.pos) as wish_actor, (select w.reason from andon_abort_wishes w where w.pos = andon_running.pos) as wish_reason, (select w.requested_at from andon_abort_wishes w where w.pos = andon_running.pos) as wish_requested_at, (select w.noun from andon_abort_wishes w where w.pos = andon_running.pos) as wish_noun;

-- running-wish-cancel
update andon_running
set cancel_actor = coalesce(cancel_actor, @actor), cancel_reason = case when cancel_actor is null then @reason else cancel_reason end,
  cancel_at = case when cancel_actor is null or @at = 'now' then @at else cancel_at end
where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos
returning pos, queue, worker, fence, started_at, cancel_actor, cancel_reason, cancel_at;
