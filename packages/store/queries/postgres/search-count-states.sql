select s.job_state as state, count(*) as jobs from andon_job_states s
where s.pos in (select unnest(@positions::bigint[])) group by s.job_state;
