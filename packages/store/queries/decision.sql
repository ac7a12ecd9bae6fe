-- decision
select id, queue, pos, job_id as "jobId", tenant, organization, action, cancel_at as "cancelAt", actor, reason,
  job_state as "jobState", fence, made_at as "madeAt", applies_at as "appliesAt", state, settled_at as "settledAt",
  settled_by as "settledBy", note from andon_decisions where id = @id;

-- decision-add
insert into andon_decisions
  (id, queue, pos, job_id, tenant, organization, action, cancel_at, actor, reason, job_state, fence, made_at, applies_at, state)
values
  (@id, @queue, @pos, @jobId, @tenant, @organization, @action, @cancelAt, @actor, @reason, @jobState, @fence, @madeAt, @appliesAt, 'pending');

-- decision-lock (SQLite)
select id, queue, pos, job_id as "jobId", tenant, organization, action, cancel_at as "cancelAt", actor, reason,
  job_state as "jobState", fence, made_at as "madeAt", applies_at as "appliesAt", state, settled_at as "settledAt",
  settled_by as "settledBy", note from andon_decisions where id = @id;

-- decision-lock (PostgreSQL)
select id, queue, pos, job_id as "jobId", tenant, organization, action, cancel_at as "cancelAt", actor, reason,
  job_state as "jobState", fence, made_at as "madeAt", applies_at as "appliesAt", state, settled_at as "settledAt",
  settled_by as "settledBy", note from andon_decisions where id = @id for update;

-- decision-of-job
select id, queue, pos, job_id as "jobId", tenant, organization, action, cancel_at as "cancelAt", actor, reason,
  job_state as "jobState", fence, made_at as "madeAt", applies_at as "appliesAt", state, settled_at as "settledAt",
  settled_by as "settledBy", note from andon_decisions where job_id = @jobId and state = 'pending';

-- decision-settle
update andon_decisions set state = @state, settled_at = @at, settled_by = @by, note = @note where id = @id;

-- decisions-drop
delete from andon_decisions where settled_at < @before;

-- decisions-due (SQLite)
select id, queue, pos, job_id as "jobId", tenant, organization, action, cancel_at as "cancelAt", actor, reason,
  job_state as "jobState", fence, made_at as "madeAt", applies_at as "appliesAt", state, settled_at as "settledAt",
  settled_by as "settledBy", note from andon_decisions
where state = 'pending' and applies_at <= @now and queue in (select value from json_each(@queues)) order by applies_at, id limit @most;

-- decisions-due (PostgreSQL)
select id, queue, pos, job_id as "jobId", tenant, organization, action, cancel_at as "cancelAt", actor, reason,
  job_state as "jobState", fence, made_at as "madeAt", applies_at as "appliesAt", state, settled_at as "settledAt",
  settled_by as "settledBy", note from andon_decisions
where state = 'pending' and applies_at <= @now and queue = any(@queues::text[]) order by applies_at, id limit @most;

-- decisions-next (SQLite)
select min(applies_at) as at from andon_decisions where state = 'pending' and queue in (select value from json_each(@queues));

-- decisions-next (PostgreSQL)
select min(applies_at) as at from andon_decisions where state = 'pending' and queue = any(@queues::text[]);

-- decisions-of-jobs (SQLite)
select id, queue, pos, job_id as "jobId", tenant, organization, action, cancel_at as "cancelAt", actor, reason,
  job_state as "jobState", fence, made_at as "madeAt", applies_at as "appliesAt", state, settled_at as "settledAt",
  settled_by as "settledBy", note from andon_decisions where state = 'pending' and job_id in (select value from json_each(@jobIds));

-- decisions-of-jobs (PostgreSQL)
select id, queue, pos, job_id as "jobId", tenant, organization, action, cancel_at as "cancelAt", actor, reason,
  job_state as "jobState", fence, made_at as "madeAt", applies_at as "appliesAt", state, settled_at as "settledAt",
  settled_by as "settledBy", note from andon_decisions where state = 'pending' and job_id = any(@jobIds::text[]);
