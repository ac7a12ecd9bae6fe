select pos from andon_running
where queue in (select queue from andon_jobs where pos in (select unnest(@positions::bigint[])))
  and pos in (select unnest(@positions::bigint[]))
order by pos for update;
