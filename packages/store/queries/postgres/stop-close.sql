update andon_stops set resumed_at = @at, resumed_by = @actor where id = @id;
