delete from andon_ready where queue = @queue and pos = any(@positions::bigint[]);
