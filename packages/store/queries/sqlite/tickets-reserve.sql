update or fail andon_job_numbers set last = last + @count returning last as number;
