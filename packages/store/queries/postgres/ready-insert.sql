insert into andon_ready (queue, rank, pos, share)
select queue, rank, pos, share from andon_jobs where pos = any(@positions::bigint[]);
