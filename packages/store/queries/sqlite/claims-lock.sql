select pos from andon_running where pos in (select value from json_each(@positions)) order by pos;
