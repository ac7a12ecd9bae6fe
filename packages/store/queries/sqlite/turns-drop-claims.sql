delete from andon_turns where queue = @queue and id <= @upTo and claimed > 0 and done = 0 and (at < @before or at > @now)
and id < (select id from andon_turns where queue >= @queue and queue <= @queue and claimed > 0 order by queue desc, id desc limit 1);
