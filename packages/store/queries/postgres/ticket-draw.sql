select nextval('andon_job_numbers') as number;
