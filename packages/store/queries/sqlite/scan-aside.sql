select at as place, pos from andon_aside
where queue = @queue and state = @state and (at, pos) > (@place, @pos) order by at, pos limit @most;
