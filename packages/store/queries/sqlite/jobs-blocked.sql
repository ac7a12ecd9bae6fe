select distinct m.pos from andon_lane_jobs m join andon_jobs j on j.pos = m.pos
where m.queue = @queue and j.waits > 0 and j.state = 'open' order by m.pos limit @limit offset @offset;
