select pos from andon_running
where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos and fence = @fence and cancel_actor is null;
