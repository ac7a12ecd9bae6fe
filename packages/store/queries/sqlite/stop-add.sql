insert into andon_stops
  (id, queue, epoch, at, kind, actor, reason, job_id, error_code, error_message, in_flight, last_turn, last_started)
values
  (@id, @queue, @epoch, @at, @kind, @actor, @reason, @jobId, @errorCode, @errorMessage, @inFlight, @lastTurn, @lastStarted);
