insert into andon_ready (queue, rank, pos, share)
select queue, rank, pos, share from andon_jobs where pos between ?1 and ?2 and lane_keys is null and run_at is null;
