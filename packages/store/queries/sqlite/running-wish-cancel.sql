update andon_running set cancel_actor = @actor, cancel_reason = @reason where pos = @pos and cancel_actor is null;
