delete from andon_events where id <= @last and at < @before;
