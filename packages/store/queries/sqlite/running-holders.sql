select queue, worker, count(*) as jobs from andon_running group by queue, worker;
