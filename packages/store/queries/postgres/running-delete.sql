delete from andon_running where queue = @queue and pos = any(@positions::bigint[]);
