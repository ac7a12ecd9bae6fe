select at, pos from andon_aside
where (queue, state, at, pos) > (@queue, @state, @afterAt, @afterPos) and (queue, state, at, pos) <= (@queue, @state, @at, @pos)
order by queue, state, at, pos limit @most;
