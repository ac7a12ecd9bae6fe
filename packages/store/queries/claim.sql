-- claim-facts
select j.pos, j.id, j.ticket, j.name, j.tenant, j.organization, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.stage, j.stages, j.outputs, j.stage_started_at, j.stage_elapsed, j.cancel_actor, j.cancel_reason, j.arrivals, j.fence + 1 as fence from andon_jobs j where j.pos = @pos;

-- claim-log-add
insert into andon_claim_log (queue, epoch, worker, at, claimed, done, started)
values (@queue, @epoch, @worker, @now, 1, 0, @positions);

-- claim-log-claims-after
select id, epoch, at, worker from andon_claim_log where queue = @queue and id > @entry and claimed > 0 order by id limit @most;

-- claim-log-drop (SQLite)
delete from andon_claim_log where queue = @queue and id in (select value from json_each(@ids)) and claimed = 0;

-- claim-log-drop (PostgreSQL)
delete from andon_claim_log where queue = @queue and id = any(@ids::bigint[]) and claimed = 0;

-- claim-log-drop-claims
delete from andon_claim_log where queue = @queue and id <= @upTo and claimed > 0 and done = 0 and (at < @before or at > @now)
and id < (select id from andon_claim_log where queue >= @queue and queue <= @queue and claimed > 0 order by queue desc, id desc limit 1);

-- claim-log-last-claim
select id, worker, at, started from andon_claim_log
where queue >= @queue and queue <= @queue and claimed > 0 order by queue desc, id desc limit 1;

-- claim-log-last-old
select max(id) as id from (
  select id, at from andon_claim_log where queue >= @queue and queue <= @queue and not at > @now order by queue, id limit @most
) oldest where at < @before;

-- claim-log-old
select id, done, finished from (
  select id, at, done, finished from andon_claim_log where queue >= @queue and queue <= @queue order by queue, id limit @most
) oldest where (at < @before or at > @now) and id <= @upTo order by id;

-- claim-log-stamp-starts (SQLite)
update andon_claim_log set at = @to where queue = @queue and id in (select t.id from (
  select id, worker, at from andon_claim_log where queue >= @queue and queue <= @queue and claimed > 0 order by queue desc, id desc limit @most
) t where t.worker = @worker and t.at = @from);

-- claim-log-stamp-starts (PostgreSQL)
update andon_claim_log set at = @to where queue = @queue and id = any(array(select t.id from (
  select id, worker, at from andon_claim_log where queue >= @queue and queue <= @queue and claimed > 0 order by queue desc, id desc limit @most
) t where t.worker = @worker and t.at = @from));

-- claim-log-started-since
select coalesce(sum(t.claimed), 0) as started from (
  select claimed, at from andon_claim_log where queue >= @queue and queue <= @queue and claimed > 0 order by queue desc, id desc limit @most
) t where t.at > @since;

-- claim-log-strike-done (SQLite)
update andon_claim_log set done = 0, finished = null where queue = @queue and id in (select value from json_each(@ids));

-- claim-log-strike-done (PostgreSQL)
update andon_claim_log set done = 0, finished = null where queue = @queue and id = any(@ids::bigint[]);

-- claims-lock (SQLite)
select pos from andon_running
where queue in (select queue from andon_jobs where pos in (select value from json_each(@positions)))
  and pos in (select value from json_each(@positions))
order by pos;

-- claims-lock (PostgreSQL)
select pos from andon_running
where queue = any(array(select queue from andon_jobs where pos = any(@positions::bigint[])))
  and pos = any(@positions::bigint[])
order by pos for update;
