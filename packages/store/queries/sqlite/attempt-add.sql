insert into andon_attempts (pos, fence, number, outcome, worker, started_at, finished_at, code, message, stack)
values (@pos, @fence, @number, @outcome, @worker, @startedAt, @finishedAt, @code, @message, @stack);
