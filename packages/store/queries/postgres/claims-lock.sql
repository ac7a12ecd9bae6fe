select pos from andon_running
where queue = any(array(select queue from andon_jobs where pos = any(@positions::bigint[])))
  and pos = any(@positions::bigint[])
order by pos for update;
