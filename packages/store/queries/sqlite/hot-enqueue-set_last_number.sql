update andon_job_numbers set last = ?1;
