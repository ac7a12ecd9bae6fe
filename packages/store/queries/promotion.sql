-- promotion-lock (SQLite)
select 1 as locked;

-- promotion-lock (PostgreSQL)
select pg_try_advisory_xact_lock(5017264, hashtext(@queue)) as locked;
