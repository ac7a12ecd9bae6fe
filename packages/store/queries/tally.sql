-- tallies-add-times (SQLite)
insert into andon_tallies (queue, at, waits, runs)
select r.queue, r.at, r.waits, r.runs from (select value ->> 'n' as n, value ->> 'queue' as queue, value ->> 'at' as at, value ->> 'waits' as waits, value ->> 'runs' as runs from json_each(@rows)) r order by r.n;

-- tallies-add-times (PostgreSQL)
insert into andon_tallies (queue, at, waits, runs)
select r.queue, r.at, r.waits, r.runs from json_to_recordset(@rows::json) as r(n bigint, queue text, at bigint, waits text, runs text) order by r.n;

-- tallies-drop (SQLite)
delete from andon_tallies where id in (select value from json_each(@ids));

-- tallies-drop (PostgreSQL)
delete from andon_tallies where id = any(@ids::bigint[]);

-- tallies-rows (SQLite)
select id, queue, merged, at, added, failures, attempts_failed, waits, runs, scheduled, blocked, ready, running, parked, done, failed, cancelled, skipped, resolved, aborted, purged, held from andon_tallies order by id limit @most;

-- tallies-rows (PostgreSQL)
select id, queue, merged, at, added, failures, attempts_failed, waits, runs, scheduled, blocked, ready, running, parked, done, failed, cancelled, skipped, resolved, aborted, purged, held from andon_tallies order by id limit @most for update skip locked;

-- tallies-sum (SQLite)
select queue, coalesce(sum(scheduled), 0) as scheduled, coalesce(sum(blocked), 0) as blocked, coalesce(sum(ready), 0) as ready, coalesce(sum(running), 0) as running, coalesce(sum(parked), 0) as parked, coalesce(sum(done), 0) as done, coalesce(sum(failed), 0) as failed, coalesce(sum(cancelled), 0) as cancelled, coalesce(sum(skipped), 0) as skipped, coalesce(sum(resolved), 0) as resolved, coalesce(sum(aborted), 0) as aborted, coalesce(sum(purged), 0) as purged, coalesce(sum(held), 0) as held from andon_tallies where queue in (select value from json_each(@queues)) and id > 0 group by queue;

-- tallies-sum (PostgreSQL)
select queue, coalesce(sum(scheduled), 0) as scheduled, coalesce(sum(blocked), 0) as blocked, coalesce(sum(ready), 0) as ready, coalesce(sum(running), 0) as running, coalesce(sum(parked), 0) as parked, coalesce(sum(done), 0) as done, coalesce(sum(failed), 0) as failed, coalesce(sum(cancelled), 0) as cancelled, coalesce(sum(skipped), 0) as skipped, coalesce(sum(resolved), 0) as resolved, coalesce(sum(aborted), 0) as aborted, coalesce(sum(purged), 0) as purged, coalesce(sum(held), 0) as held from andon_tallies where queue = any(@queues::text[]) and id > 0 group by queue;

-- tally-add
insert into andon_tallies (queue, merged, at, scheduled, blocked, ready, running, parked, done, failed, cancelled, skipped, resolved, aborted, purged, held, failures, attempts_failed)
values (@queue, @merged, @at, @scheduled, @blocked, @ready, @running, @parked, @done, @failed, @cancelled, @skipped, @resolved, @aborted, @purged, @held, @failures, @attempts_failed);
