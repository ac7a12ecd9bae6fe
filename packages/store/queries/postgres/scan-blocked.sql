select distinct 0 as place, m.pos from andon_lane_jobs m
where m.queue || '' = @queue and m.pos > @pos and m.seq <> (select l.head_seq from andon_lanes l where l.queue = m.queue and l.lane_key = m.lane_key)
order by m.pos limit @most;
