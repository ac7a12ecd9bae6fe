update andon_turns set done = 0, finished = null where queue = @queue and id = any(@ids::bigint[]);
