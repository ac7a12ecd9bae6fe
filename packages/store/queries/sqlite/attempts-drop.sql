delete from andon_attempts where pos in (select value from json_each(@positions));
