update andon_plans set applied_at = @at where id = @id;
