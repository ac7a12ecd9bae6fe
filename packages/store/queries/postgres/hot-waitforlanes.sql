select l.lane_key from andon_lanes l where l.queue = $1 and l.lane_key = any($2::text[])
order by l.lane_key for update;
