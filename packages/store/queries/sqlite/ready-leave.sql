delete from andon_ready where queue = @queue and (rank, pos) in (
  select rank, pos from andon_jobs where pos in (select value from json_each(@positions))
);
