-- notify (SQLite)
select @payload;

-- notify (PostgreSQL)
select pg_notify('andon', @payload);
