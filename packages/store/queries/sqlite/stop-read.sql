select * from andon_stops where id = @id;
