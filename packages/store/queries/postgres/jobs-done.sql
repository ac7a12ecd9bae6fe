select id, done, finished from andon_turns
where (queue, id) > (@queue, 0) and (queue, id) < (@queue, @before) and done > 0 order by queue desc, id desc limit @most;
