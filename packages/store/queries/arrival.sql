-- arrival-add
insert into andon_arrivals (event, payload, at, kept_since) values (@event, @payload, @now, @now)
on conflict (event) do update set payload = excluded.payload, at = excluded.at, kept_since = excluded.kept_since
where andon_arrivals.at is null
returning event;

-- arrival-lock
insert into andon_arrivals (event, kept_since) values (@event, @now)
on conflict (event) do update set kept_since = excluded.kept_since
returning payload, at;

-- arrivals-of (SQLite)
select event, payload, at from andon_arrivals where event in (select value from json_each(@events)) and at is not null;

-- arrivals-of (PostgreSQL)
select event, payload, at from andon_arrivals where event = any(@events::text[]) and at is not null;
