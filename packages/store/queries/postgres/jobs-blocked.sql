select distinct m.pos from andon_lane_jobs m cross join andon_lanes l
where m.queue || '' = @queue and l.queue = m.queue and l.lane_key = m.lane_key and m.seq <> l.head_seq
order by m.pos desc limit @limit offset @offset;
