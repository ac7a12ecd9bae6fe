select rank, pos, share from andon_ready
where (queue, rank, pos) > (@queue, @first, @second) and queue <= @queue order by queue, rank, pos limit @most;
