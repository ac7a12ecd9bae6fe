delete from andon_attempts where pos = any(@positions::bigint[]);
