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
  strftime('%Y-%m-%dT%H:%M:%fZ', t.created_at / 1000.0, 'unixepoch') as created_at,
  case
    when t.state <> 'open' then strftime('%Y-%m-%dT%H:%M:%fZ', s.started_at / 1000.0, 'unixepoch')
    when s.job_state = 'running' then strftime('%Y-%m-%dT%H:%M:%fZ', s.running_since / 1000.0, 'unixepoch')
  end as started_at,
  case when t.state <> 'open' then strftime('%Y-%m-%dT%H:%M:%fZ', s.finished_at / 1000.0, 'unixepoch') end as completed_at,
  t.elapsed_time,
  t.retry_count,
  t.max_retries,
  case when t.state = 'failed' then coalesce(json_extract(s.error_texts, '$.ko'), s.error_message) end as error,
  case
    when s.result is null then coalesce(s.outputs, '{}')
    else json_set(coalesce(s.outputs, '{}'), '$."' || t.type || '"', json(s.result))
  end as metadata,
  (
    select json_group_array(json_object('at', strftime('%Y-%m-%dT%H:%M:%fZ', l.at / 1000.0, 'unixepoch'), 'type', l.type, 'level', l.level, 'message', l.message))
    from (select * from task_log x where x.task_id = t.task_id order by x.id) l
  ) as logs
from task t join andon_job_states s on s.id = t.task_id;
