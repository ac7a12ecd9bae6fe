select pos from andon_running where pos in (select unnest(@positions::bigint[])) order by pos for update;
