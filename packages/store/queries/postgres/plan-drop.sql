delete from andon_plans where id = @id;
