update andon_turns set done = 0, finished = null where queue = @queue and id in (select value from json_each(@ids));
