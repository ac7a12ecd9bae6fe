delete from andon_aside where pos = any(@positions::bigint[]);
