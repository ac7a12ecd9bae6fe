select id, finished from andon_turns where queue >= @queue and queue <= @queue order by queue, id limit @most;
