-- parked-for
select pos from andon_jobs where awaits = @event;
