-- ended-add (SQLite)
insert into andon_ended (pos, queue, state, at, fingerprint, tenant, organization)
select pos, queue, @state, cast(@at as bigint), fingerprint, tenant, organization from andon_jobs where pos in (select value from json_each(@positions));

-- ended-add (PostgreSQL)
insert into andon_ended (pos, queue, state, at, fingerprint, tenant, organization)
select pos, queue, @state, cast(@at as bigint), fingerprint, tenant, organization from andon_jobs where pos = any(@positions::bigint[]);

-- ended-between
select at, pos from andon_ended
where (queue, state, at, pos) > (@queue, @state, @afterAt, @afterPos) and (queue, state, at, pos) <= (@queue, @state, @at, @pos)
order by queue, state, at, pos limit @most;

-- ended-drop (SQLite)
delete from andon_ended where pos in (select value from json_each(@positions));

-- ended-drop (PostgreSQL)
delete from andon_ended where pos = any(@positions::bigint[]);

-- ended-last
select at, pos from andon_ended where (queue, state) >= (@queue, @state) and (queue, state) <= (@queue, @state) order by queue desc, state desc, at desc, pos desc limit 1;

-- ended-leave (SQLite)
delete from andon_ended where pos in (select value from json_each(@positions));

-- ended-leave (PostgreSQL)
delete from andon_ended where pos = any(@positions::bigint[]);

-- ended-old
select pos from andon_ended where queue = @queue and state = @state and at < @before order by at, pos limit @most;

-- ended-positions
select pos from andon_ended where (queue, state) >= (@queue, @state) and (queue, state) <= (@queue, @state) order by queue, state, at, pos limit @most;
