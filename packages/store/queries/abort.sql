-- abort-wish-add
insert into andon_abort_wishes (pos, actor, reason, requested_at, noun)
values (@pos, @by, @reason, @requestedAt, @noun) on conflict (pos) do nothing returning pos;

-- abort-wishes (SQLite)
select pos, actor as wish_actor, reason as wish_reason, requested_at as wish_requested_at, noun as wish_noun
from andon_abort_wishes where pos in (select value from json_each(@positions));

-- abort-wishes (PostgreSQL)
select pos, actor as wish_actor, reason as wish_reason, requested_at as wish_requested_at, noun as wish_noun
from andon_abort_wishes where pos = any(@positions::bigint[]);

-- abort-wishes-drop (SQLite)
delete from andon_abort_wishes where pos in (select value from json_each(@positions));

-- abort-wishes-drop (PostgreSQL)
delete from andon_abort_wishes where pos = any(@positions::bigint[]);
