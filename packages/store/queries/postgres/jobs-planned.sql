select p.pos, p.id, p.ticket, p.attempts, p.lane_keys, coalesce(p.running_fence, p.fence) as fence,
  case
    when p.state <> 'open' then p.state
    when p.running_fence is not null then 'running'
    when p.timer is not null then 'scheduled'
    when p.in_line is not null then 'ready'
    else 'blocked'
  end as job_state
from (
  select j.pos, j.id, j.ticket, j.attempts, j.lane_keys, j.fence, j.state,
    (select r.fence from andon_running r where r.queue = j.queue and r.pos = j.pos) as running_fence,
    (select t.pos from andon_timers t where t.pos = j.pos) as timer,
    (select w.pos from andon_ready w where w.queue = j.queue and w.rank = j.rank and w.pos = j.pos) as in_line
  from andon_jobs j where j.pos = any(@positions::bigint[])
) p;
