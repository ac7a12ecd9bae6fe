-- bulk-begin
insert into andon_bulk (pos, pause_ms, max_per_second, queue_max_per_second)
select r.pos, cast(@pauseMs as bigint), cast(@maxPerSecond as double precision), cast(@queueMaxPerSecond as double precision)
from andon_running r where r.queue = (select j.queue from andon_jobs j where j.pos = @pos) and r.pos = @pos and r.fence = @fence
on conflict (pos) do update set pause_ms = coalesce(andon_bulk.pause_ms, excluded.pause_ms),
  max_per_second = coalesce(andon_bulk.max_per_second, excluded.max_per_second),
  queue_max_per_second = excluded.queue_max_per_second, rate = null, slow_ms = null
returning pos, processed, total, started_at, resumed_at, pause_ms, max_per_second, queue_max_per_second, rate, chunk_ms,
  chunk_at, slow_ms, slow_limit_ms, (select w.actor from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_actor, (select w.reason from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_reason, (select w.requested_at from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_requested_at, (select w.noun from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_noun;

-- bulk-chunk
update andon_bulk set processed = processed + @count, rate = @rate, chunk_ms = @chunkMs, chunk_at = @now,
  slow_ms = @slowMs, slow_limit_ms = @slowLimitMs
where pos = @pos returning pos, processed, total, started_at, resumed_at, pause_ms, max_per_second, queue_max_per_second, rate, chunk_ms,
  chunk_at, slow_ms, slow_limit_ms, (select w.actor from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_actor, (select w.reason from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_reason, (select w.requested_at from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_requested_at, (select w.noun from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_noun;

-- bulk-cursor
update andon_jobs set cursor = @cursor, attempts = 0, stalled = 0 where pos = @pos;

-- bulk-drop (SQLite)
delete from andon_bulk where pos in (select value from json_each(@positions));

-- bulk-drop (PostgreSQL)
delete from andon_bulk where pos = any(@positions::bigint[]);

-- bulk-many (SQLite)
select pos, processed, total, started_at, resumed_at, pause_ms, max_per_second, queue_max_per_second, rate, chunk_ms,
  chunk_at, slow_ms, slow_limit_ms, (select w.actor from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_actor, (select w.reason from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_reason, (select w.requested_at from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_requested_at, (select w.noun from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_noun from andon_bulk where pos in (select value from json_each(@positions));

-- bulk-many (PostgreSQL)
select pos, processed, total, started_at, resumed_at, pause_ms, max_per_second, queue_max_per_second, rate, chunk_ms,
  chunk_at, slow_ms, slow_limit_ms, (select w.actor from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_actor, (select w.reason from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_reason, (select w.requested_at from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_requested_at, (select w.noun from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_noun from andon_bulk where pos = any(@positions::bigint[]);

-- bulk-one
select pos, processed, total, started_at, resumed_at, pause_ms, max_per_second, queue_max_per_second, rate, chunk_ms,
  chunk_at, slow_ms, slow_limit_ms, (select w.actor from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_actor, (select w.reason from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_reason, (select w.requested_at from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_requested_at, (select w.noun from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_noun from andon_bulk where pos = @pos;

-- bulk-reserve
insert into andon_bulk_rates (queue, paid_until) values (@queue, cast(@now as bigint) + cast(@ms as bigint))
on conflict (queue) do update set paid_until = @ms + case
  when andon_bulk_rates.paid_until < @now - @credit then @now - @credit
  when andon_bulk_rates.paid_until > @now + @most then @now
  else andon_bulk_rates.paid_until
end
returning paid_until;

-- bulk-resumed
insert into andon_bulk (pos, resumed_at) values (@pos, @now)
on conflict (pos) do update set resumed_at = excluded.resumed_at;

-- bulk-start
update andon_bulk set total = @total, started_at = @now where pos = @pos and started_at is null;

-- bulk-throttle
insert into andon_bulk (pos, pause_ms, max_per_second)
values (@pos, cast(@pauseMs as bigint), cast(@maxPerSecond as double precision))
on conflict (pos) do update set pause_ms = coalesce(excluded.pause_ms, andon_bulk.pause_ms),
  max_per_second = coalesce(excluded.max_per_second, andon_bulk.max_per_second)
returning pos, processed, total, started_at, resumed_at, pause_ms, max_per_second, queue_max_per_second, rate, chunk_ms,
  chunk_at, slow_ms, slow_limit_ms, (select w.actor from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_actor, (select w.reason from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_reason, (select w.requested_at from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_requested_at, (select w.noun from andon_abort_wishes w where w.pos = andon_bulk.pos) as wish_noun;
