update andon_jobs set waits = waits - 1 where pos = (
  select m.pos from andon_lanes l
  join andon_lane_jobs m on m.queue = l.queue and m.lane_key = l.lane_key and m.seq = l.head_seq
  where l.queue = ?1 and l.lane_key = ?2 and m.lanes > 1
) returning pos, rank, share, waits;
