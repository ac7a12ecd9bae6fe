delete from andon_operation_steps where list = @id;
