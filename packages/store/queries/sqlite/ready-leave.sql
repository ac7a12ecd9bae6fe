delete from andon_ready
where queue = @queue and pos in (select value from json_each(@positions))
  and rank in (select rank from andon_jobs where pos in (select value from json_each(@positions)));
