delete from andon_workers where id = @id;
