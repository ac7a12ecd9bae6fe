delete from andon_aside where pos in (select value from json_each(@positions));
