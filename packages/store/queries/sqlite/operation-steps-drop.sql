delete from andon_operation_steps where list = @list and number < @before;
