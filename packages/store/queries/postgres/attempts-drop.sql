delete from andon_attempts where pos in (select unnest(@positions::bigint[]));
