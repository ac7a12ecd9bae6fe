-- What a line of a log says, as code and details (JSON), so that it is shown in the reader's language. message: the same in Korean; lines
-- of earlier versions have only that.
alter table task_log add column code text;
alter table task_log add column details text;

-- The same as before, but for error: who reads the view names no language, so it is in Korean where it has two.
drop view task_queue;
create view task_queue as
select
  t.task_id,
  t.type,
  case
    when t.state <> 'open' then t.state
    when s.job_state = 'running' then 'processing'
    else 'waiting'
  end as status,
  t.user_id,
  t.priority,
  to_char(to_timestamp(t.created_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
  case
    when t.state <> 'open' then to_char(to_timestamp(s.started_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    when s.job_state = 'running' then to_char(to_timestamp(s.running_since / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  end as started_at,
  case when t.state <> 'open' then to_char(to_timestamp(s.finished_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as completed_at,
  t.elapsed_time,
  t.retry_count,
  t.max_retries,
  case when t.state = 'failed' then coalesce(s.error_texts::jsonb ->> 'ko', s.error_message) end as error,
  case
    when s.result is null then coalesce(s.outputs, '{}')
    else (coalesce(s.outputs, '{}')::jsonb || jsonb_build_object(t.type, s.result::jsonb))::text
  end as metadata,
  coalesce((
    select json_agg(json_build_object('at', to_char(to_timestamp(l.at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'type', l.type, 'level', l.level, 'message', l.message) order by l.id)::text
    from task_log l where l.task_id = t.task_id
  ), '[]') as logs
from task t join andon_job_states s on s.id = t.task_id;
