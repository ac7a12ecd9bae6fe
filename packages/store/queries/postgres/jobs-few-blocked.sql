select m.pos + 0 as pos from andon_lane_jobs m
where m.queue = @queue and m.seq <> (select l.head_seq from andon_lanes l where l.queue = m.queue and l.lane_key = m.lane_key)
group by m.pos + 0 order by 1 limit @limit offset @offset;
