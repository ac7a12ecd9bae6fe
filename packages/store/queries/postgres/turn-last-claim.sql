select id, worker, at, started from andon_turns
where queue >= @queue and queue <= @queue and claimed > 0 order by queue desc, id desc limit 1;
