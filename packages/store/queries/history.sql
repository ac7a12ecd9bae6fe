-- history-add (SQLite)
insert into andon_history (queue, step, at, added, done, failed, attempts_failed, waiting, running)
select r.queue, r.step, r.at, r.added, r.done, r.failed, r.attempts_failed, r.waiting, r.running from (select value ->> 'n' as n, value ->> 'queue' as queue, value ->> 'step' as step, value ->> 'at' as at, value ->> 'added' as added, value ->> 'done' as done, value ->> 'failed' as failed, value ->> 'attempts_failed' as attempts_failed, value ->> 'waiting' as waiting, value ->> 'running' as running from json_each(@rows)) r where r.n >= 0 order by r.n
on conflict (queue, step, at) do update set
  added = andon_history.added + excluded.added,
  done = andon_history.done + excluded.done,
  failed = andon_history.failed + excluded.failed,
  attempts_failed = andon_history.attempts_failed + excluded.attempts_failed,
  waiting = coalesce(excluded.waiting, andon_history.waiting),
  running = coalesce(excluded.running, andon_history.running);

-- history-add (PostgreSQL)
insert into andon_history (queue, step, at, added, done, failed, attempts_failed, waiting, running)
select r.queue, r.step, r.at, r.added, r.done, r.failed, r.attempts_failed, r.waiting, r.running from json_to_recordset(@rows::json) as r(n bigint, queue text, step text, at bigint, added bigint, done bigint, failed bigint, attempts_failed bigint, waiting bigint, running bigint) where r.n >= 0 order by r.n
on conflict (queue, step, at) do update set
  added = andon_history.added + excluded.added,
  done = andon_history.done + excluded.done,
  failed = andon_history.failed + excluded.failed,
  attempts_failed = andon_history.attempts_failed + excluded.attempts_failed,
  waiting = coalesce(excluded.waiting, andon_history.waiting),
  running = coalesce(excluded.running, andon_history.running);

-- history-counts
select coalesce(sum(ready + blocked), 0) as waiting, coalesce(sum(running), 0) as running
from andon_tallies where queue = @queue and id > 0;

-- history-drop-arrivals
delete from andon_arrivals where kept_since <= @last;

-- history-drop-attempts
delete from andon_attempts where finished_at <= @last;

-- history-drop-events
delete from andon_events where id <= @last and at < @before;

-- history-drop-hours
delete from andon_history where step = 'h' and at <= @last;

-- history-drop-minutes
delete from andon_history where step = 'm' and at <= @last;

-- history-drop-stops
delete from andon_stops where id <= @last and at < @before and resumed_at is not null;

-- history-ended (SQLite)
select queue, string_agg(cast(at as text) || ' ' || done || ' ' || failed, ',') as minutes from (
  select queue, at, done, failed from andon_history
  where queue in (select value from json_each(@queues)) and step = 'm' and at >= @from and done + failed > 0
  union all
  select queue, coalesce(at, @now) as at, done, failures from andon_tallies
  where queue in (select value from json_each(@queues)) and id > 0 and merged = 0 and coalesce(at, @now) >= @from and done + failures > 0
) m group by queue;

-- history-ended (PostgreSQL)
select queue, string_agg(cast(at as text) || ' ' || done || ' ' || failed, ',') as minutes from (
  select queue, at, done, failed from andon_history
  where queue = any(@queues::text[]) and step = 'm' and at >= @from and done + failed > 0
  union all
  select queue, coalesce(at, @now) as at, done, failures from andon_tallies
  where queue = any(@queues::text[]) and id > 0 and merged = 0 and coalesce(at, @now) >= @from and done + failures > 0
) m group by queue;

-- history-last-arrivals
select max(kept_since) as last from (
  select kept_since from andon_arrivals where kept_since < @before order by kept_since limit @most
) oldest;

-- history-last-attempts
select max(finished_at) as last from (
  select finished_at from andon_attempts where finished_at < @before order by finished_at limit @most
) oldest;

-- history-last-events
select max(id) as last from (
  select id, at from andon_events where id < (select max(id) from andon_events) order by id limit @most
) oldest where at < @before;

-- history-last-hours
select max(at) as last from (
  select at from andon_history where step = 'h' and at < @before order by at limit @most
) oldest;

-- history-last-minutes
select max(at) as last from (
  select at from andon_history where step = 'm' and at < @before order by at limit @most
) oldest;

-- history-last-stops
select max(id) as last from (
  select id, at from andon_stops where resumed_at is not null order by id limit @most
) oldest where at < @before;

-- history-oldest
select
  (select at from andon_events where id < (select max(id) from andon_events) order by id limit 1) as events,
  (select min(finished_at) from andon_attempts) as attempts,
  (select at from andon_stops where resumed_at is not null order by id limit 1) as stops,
  (select min(kept_since) from andon_arrivals) as arrivals,
  (select min(at) from andon_history where step = 'm') as minutes,
  (select min(at) from andon_history where step = 'h') as hours;

-- history-run-begin
insert into andon_history_runs (worker, from_at)
select id, started_at from andon_workers where id = @worker
on conflict (worker) do update set until_at = null;

-- history-run-end
update andon_history_runs set until_at = @now where worker = @worker;

-- history-run-lost
update andon_history_runs set until_at = coalesce((
  select max(h.at) + 60000 from andon_history h where h.step = 'm' and h.at >= andon_history_runs.from_at - 60000
    and h.waiting is not null and h.at + 60000 <= coalesce((
      select min(r.from_at) from andon_history_runs r where r.from_at > andon_history_runs.from_at
    ), @now)
), from_at)
where worker = @id and until_at is null;

-- history-runs
select from_at, until_at from andon_history_runs
where from_at < @before and (until_at is null or until_at >= @from);

-- history-runs-drop
delete from andon_history_runs where until_at < @before;

-- history-sample
select waiting, running from andon_history
where queue = @queue and step = @step and at < @from and waiting is not null order by at desc limit 1;

-- history-save-times
update andon_history set waits = @waits, runs = @runs where queue = @queue and step = @step and at = @at;

-- history-steps
select at, added, done, failed, attempts_failed, waiting, running, waits, runs from andon_history where queue = @queue and step = @step and at >= @from and at < @before
union all
select coalesce(at, @now), added, done, failures as failed, attempts_failed, null as waiting, null as running, waits, runs from andon_tallies
where queue = @queue and id > 0 and merged = 0 and coalesce(at, @now) >= @from and coalesce(at, @now) < @before;

-- history-times
select waits, runs from andon_history where queue = @queue and step = @step and at = @at;

-- history-totals (SQLite)
select queue, added, done, failed, attempts_failed, waiting, running, waits, runs from andon_history where queue in (select value from json_each(@queues)) and step = 't' and at = 0
union all
select queue, added, done, failures as failed, attempts_failed, null as waiting, null as running, waits, runs from andon_tallies where queue in (select value from json_each(@queues)) and id > 0 and merged = 0;

-- history-totals (PostgreSQL)
select queue, added, done, failed, attempts_failed, waiting, running, waits, runs from andon_history where queue = any(@queues::text[]) and step = 't' and at = 0
union all
select queue, added, done, failures as failed, attempts_failed, null as waiting, null as running, waits, runs from andon_tallies where queue = any(@queues::text[]) and id > 0 and merged = 0;
