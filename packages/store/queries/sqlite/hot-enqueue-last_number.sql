select last from andon_job_numbers;
