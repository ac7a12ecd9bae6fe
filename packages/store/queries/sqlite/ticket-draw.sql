update or fail andon_job_numbers set last = last + 1 returning last as number;
