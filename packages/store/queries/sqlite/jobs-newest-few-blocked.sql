select m.pos + 0 as pos
from andon_lane_jobs m join andon_lanes l on l.queue = m.queue and l.lane_key = m.lane_key
where m.queue = @queue and m.seq <> l.head_seq
group by m.pos + 0 order by 1 desc limit @limit offset @offset;
