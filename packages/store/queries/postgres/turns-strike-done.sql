update andon_turns set done = 0, finished = null where id = any(@ids::bigint[]);
