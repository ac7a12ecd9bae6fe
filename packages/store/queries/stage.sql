-- stage-save
insert into andon_stages (pos, number, fence, name, status, attempts, elapsed, started_at, finished_at)
values (@pos, @number, @fence, @name, @status, @attempts, @elapsedMs, @startedAt, @finishedAt)
on conflict (pos, number) do update set fence = excluded.fence, status = excluded.status, attempts = excluded.attempts,
  elapsed = excluded.elapsed, started_at = excluded.started_at, finished_at = excluded.finished_at;

-- stages-drop (SQLite)
delete from andon_stages where pos in (select value from json_each(@positions));

-- stages-drop (PostgreSQL)
delete from andon_stages where pos = any(@positions::bigint[]);

-- stages-of
select number, fence, name, status, attempts, elapsed, started_at, finished_at
from andon_stages where pos = @pos order by number;
