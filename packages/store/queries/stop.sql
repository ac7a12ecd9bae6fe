-- stop-add
insert into andon_stops
  (id, queue, epoch, at, kind, actor, reason, job_id, error_code, error_message, error_texts, in_flight, last_claim, last_started)
values
  (@id, @queue, @epoch, @at, @kind, @actor, @reason, @jobId, @errorCode, @errorMessage, @errorTexts, @inFlight, @lastClaim, @lastStarted);

-- stop-close
update andon_stops set resumed_at = @at, resumed_by = @actor where id = @id;

-- stop-read
select * from andon_stops where id = @id;

-- stops-count
select count(*) as stops from (select 1 from andon_stops where queue = @queue limit @most) s;

-- stops-page
select * from andon_stops where queue = @queue order by at desc, id desc limit @limit offset @offset;
