delete from andon_aside where pos in (select unnest(@positions::bigint[]));
