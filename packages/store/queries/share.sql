-- share-out-jobs (SQLite)
update andon_jobs set share = tenant
where pos in (select value from json_each(@positions)) and queue = @queue and share is null and state = 'open';

-- share-out-jobs (PostgreSQL)
update andon_jobs set share = tenant
where pos = any(@positions::bigint[]) and queue = @queue and share is null and state = 'open';

-- share-out-laned
select pos, lane_key, seq from andon_lane_jobs
where (queue, lane_key, seq) > (@queue, @first, @second) and queue <= @queue order by queue, lane_key, seq limit @most;

-- share-out-line
select rank, pos, share from andon_ready
where (queue, rank, pos) > (@queue, @first, @second) and queue <= @queue order by queue, rank, pos limit @most;

-- share-out-put (SQLite)
insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, tenant, stage from andon_jobs where pos in (select value from json_each(@positions));

-- share-out-put (PostgreSQL)
insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, tenant, stage from andon_jobs where pos = any(@positions::bigint[]);

-- share-out-running
update andon_running set share = (select j.tenant from andon_jobs j where j.pos = andon_running.pos)
where queue = @queue and share is null
returning pos;

-- share-out-take (SQLite)
delete from andon_ready
where queue = @queue and rank in (select value from json_each(@ranks)) and pos in (select value from json_each(@positions));

-- share-out-take (PostgreSQL)
delete from andon_ready
where queue = @queue and rank = any(@ranks::bigint[]) and pos = any(@positions::bigint[]);

-- share-out-timed
select pos, due_at from andon_timers
where (queue, due_at, pos) > (@queue, @first, @second) and queue <= @queue order by queue, due_at, pos limit @most;
