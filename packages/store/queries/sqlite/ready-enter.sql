insert into andon_ready (queue, rank, pos)
select queue, rank, pos from andon_jobs where pos in (select value from json_each(@positions)) and waits = 0
returning pos;
