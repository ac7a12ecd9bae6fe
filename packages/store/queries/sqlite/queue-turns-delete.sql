delete from andon_turns where id in (select value from json_each(@ids));
