insert into andon_ready (queue, rank, pos, share)
select queue, rank, pos, tenant from andon_jobs where pos in (select value from json_each(@positions));
