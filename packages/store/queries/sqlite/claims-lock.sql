select pos from andon_running
where queue in (select queue from andon_jobs where pos in (select value from json_each(@positions)))
  and pos in (select value from json_each(@positions))
order by pos;
