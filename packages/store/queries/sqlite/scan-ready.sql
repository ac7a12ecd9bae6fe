select rank as place, pos from andon_ready
where queue = @queue and (rank, pos) > (@place, @pos) order by rank, pos limit @most;
