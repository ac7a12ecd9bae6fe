insert into andon_ready (queue, rank, pos, share)
select queue, rank, pos, share from andon_jobs where pos = (
  select pos from andon_lane_jobs where queue = ?1 and lane_key = ?2 and seq = ?3 and lanes = 1
);
