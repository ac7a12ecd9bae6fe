select count(*) as ahead from (
  select 1 from andon_ready where queue = @queue and (rank, pos) < (@rank, @pos) order by rank, pos limit @most
) a;
