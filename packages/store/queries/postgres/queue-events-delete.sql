delete from andon_events where id in (
  select id from andon_events where queue >= @queue and queue <= @queue and id < (select max(id) from andon_events) order by queue, id limit @most);
