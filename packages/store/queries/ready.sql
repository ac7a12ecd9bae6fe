-- ready-ahead
select count(*) as ahead from (
  select 1 from andon_ready where queue = @queue and (rank, pos) < (@rank, @pos) order by rank, pos limit @most
) a;

-- ready-ahead-in-stage
select count(*) as ahead from (
  select 1 from andon_ready where queue = @queue and stage = @stage and (rank, pos) < (@rank, @pos) order by rank, pos limit @most
) a;

-- ready-delete (SQLite)
delete from andon_ready where queue = @queue and pos in (select value from json_each(@positions));

-- ready-delete (PostgreSQL)
delete from andon_ready where queue = @queue and pos = any(@positions::bigint[]);

-- ready-enter (SQLite)
insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, share, stage from andon_jobs where pos in (select value from json_each(@positions))
returning pos;

-- ready-enter (PostgreSQL)
insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, share, stage from andon_jobs where pos = any(@positions::bigint[])
returning pos;

-- ready-first
select 
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence from andon_job_states s
where s.pos = (select pos from andon_ready where queue = @queue order by rank, pos limit 1);

-- ready-insert (SQLite)
insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, share, stage from andon_jobs where pos in (select value from json_each(@positions));

-- ready-insert (PostgreSQL)
insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, share, stage from andon_jobs where pos = any(@positions::bigint[]);

-- ready-leave (SQLite)
delete from andon_ready
where queue = @queue and pos in (select value from json_each(@positions))
  and rank in (select rank from andon_jobs where pos in (select value from json_each(@positions)));

-- ready-leave (PostgreSQL)
delete from andon_ready
where queue = @queue and pos = any(@positions::bigint[])
  and rank = any(array(select rank from andon_jobs where pos = any(@positions::bigint[])));
