delete from andon_ready
where queue = @queue and rank = any(@ranks::bigint[]) and pos = any(@positions::bigint[]);
