delete from andon_ready
where queue = @queue and pos = any(@positions::bigint[])
  and rank = any(array(select rank from andon_jobs where pos = any(@positions::bigint[])));
