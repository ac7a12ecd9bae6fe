update andon_running set cancel_actor = @actor, cancel_reason = @reason where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos and cancel_actor is null;
