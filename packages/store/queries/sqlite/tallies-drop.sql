delete from andon_tallies where id in (select value from json_each(@ids));
