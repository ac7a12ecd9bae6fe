select case when j.state <> 'open' then j.state
  else (select s.job_state from andon_job_states s where s.pos = j.pos) end as state, count(*) as jobs
from andon_jobs j where j.pos in (select value from json_each(@positions)) group by 1;
