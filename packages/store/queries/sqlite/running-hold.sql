select pos from andon_running where pos = @pos and fence = @fence and cancel_actor is null;
