-- attempt-add
insert into andon_attempts (pos, fence, number, stage, outcome, worker, started_at, finished_at, code, message, stack, texts)
values (@pos, @fence, @number, @stage, @outcome, @worker, @startedAt, @finishedAt, @code, @message, @stack, @texts);

-- attempts-drop (SQLite)
delete from andon_attempts where pos in (select value from json_each(@positions));

-- attempts-drop (PostgreSQL)
delete from andon_attempts where pos = any(@positions::bigint[]);

-- attempts-drop-outcome
delete from andon_attempts where pos = @pos and outcome = @outcome;

-- attempts-of
select number, stage, outcome, worker, started_at as "startedAt", finished_at as "finishedAt", code, message, stack, texts
from andon_attempts where pos = @pos order by fence;
