select 0 as place, pos from andon_running where queue = @queue and pos > @pos order by pos limit @most;
