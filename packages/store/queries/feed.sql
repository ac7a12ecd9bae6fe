-- feed-begins
select at from andon_events order by id limit 1;

-- feed-lock (SQLite)
select 1;

-- feed-lock (PostgreSQL)
select pg_advisory_xact_lock(5017262);
