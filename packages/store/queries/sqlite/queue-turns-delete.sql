delete from andon_turns where queue = @queue and id in (select value from json_each(@ids));
