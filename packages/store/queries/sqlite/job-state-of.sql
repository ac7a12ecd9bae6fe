select id, job_state from andon_job_states where pos = @pos;
