select
  (select at from andon_events where id < (select max(id) from andon_events) order by id limit 1) as events,
  (select min(finished_at) from andon_attempts) as attempts,
  (select at from andon_stops where resumed_at is not null order by id limit 1) as stops;
